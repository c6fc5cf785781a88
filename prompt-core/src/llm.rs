//! The trait of language models, and the calls that render a prompt, send it and parse the reply.

mod call;
mod chunk;
mod embedder;
mod model_info;
mod options;
mod output_retry;
mod reply;
mod request;
mod structured;

pub use call::{Answered, Attempt, Call};
pub(crate) use call::{total_cost, total_usage};
pub use chunk::{Chunk, OnChunk};
pub use embedder::Embedder;
pub use model_info::ModelInfo;
pub use options::{Options, PromptCache, ReasoningEffort, StoredPrompt, ToolChoice};
pub(crate) use output_retry::retry_request;
pub use reply::{FinishReason, Reply, TokenLogProb, Usage};
pub use request::Request;
pub use structured::Structured;

use std::pin::Pin;
use std::sync::Arc;

use crate::{AcceptsTools, ToolLoop};
use crate::{Prompt, Result};

/// A future on the heap, as [`Llm::send`] returns it.
///
/// ```
/// use typed_prompt::llm::BoxFuture;
///
/// let future: BoxFuture<'_, u8> = Box::pin(async { 1 });
/// assert_eq!(pollster::block_on(future), 1);
/// ```
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A language model.
///
/// ```
/// use typed_prompt::{Llm, Message, Messages, MockLlm};
///
/// let llm = MockLlm::new(["Nine metres."]);
/// let answer = pollster::block_on(llm.call(&Messages::from([Message::user("How deep is it?")])))?;
/// assert_eq!(answer, "Nine metres.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// The methods of calls are generic, so a `&dyn Llm` is called through a reference to it: `(&llm).call(…)`, and `(&llm).with_tools(…)`. An `Arc<dyn Llm>` and a
/// `Box<dyn Llm>` are called as they are.
///
/// ```
/// use typed_prompt::{Llm, Message, Messages, MockLlm, Result};
///
/// async fn ask(llm: &dyn Llm) -> Result<String> {
///     (&llm).call(Messages::from([Message::user("How deep is it?")])).await
/// }
/// assert_eq!(pollster::block_on(ask(&MockLlm::new(["Nine metres."])))?, "Nine metres.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// Your own model implements `send`:
///
/// ```
/// use typed_prompt::{Llm, Reply, Request, Result, llm::BoxFuture};
///
/// struct Echo;
/// impl Llm for Echo {
///     fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
///         let text = request.messages.last().map(|message| message.text().into_owned());
///         Box::pin(async move { Ok(Reply::new(text.unwrap_or_default())) })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "a `Result` is not a model: write `?` behind the call that returns it"
)]
pub trait Llm: Send + Sync {
    /// Sends a request and returns the complete reply.
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>>;

    /// Sends a request, passes the chunks of the reply to a function while they arrive, and returns the complete reply.
    ///
    /// Models that do not stream pass the whole text at once, which is the default.
    ///
    /// ```
    /// use typed_prompt::{Llm, Messages, MockLlm, Request};
    ///
    /// let (llm, mut text) = (MockLlm::new(["Hi."]), String::new());
    /// let request = Request::from_prompt(&Messages::new())?;
    /// let mut on_chunk = |chunk: typed_prompt::llm::Chunk| text += chunk.text().unwrap_or_default();
    /// pollster::block_on(llm.send_streamed(&request, &mut on_chunk))?;
    /// assert_eq!(text, "Hi.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    fn send_streamed<'a>(
        &'a self,
        request: &'a Request,
        on_chunk: OnChunk<'a>,
    ) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(async move {
            let reply = self.send(request).await?;
            reply.chunks().for_each(on_chunk);
            Ok(reply)
        })
    }

    /// Returns how often a request is retried with the error if the answer does not fit the output type.
    ///
    /// The default is 0. [`Options::output_retries`] overrides it for a call.
    ///
    /// ```
    /// # use typed_prompt::{Prompt, Reply, Result, write::{PromptInfo, Writer}};
    /// # struct Yes;
    /// # impl Prompt for Yes {
    /// #     type Output = ();
    /// #     const INFO: PromptInfo = PromptInfo::new("Yes");
    /// #     fn render(&self, out: &mut Writer) { out.role(typed_prompt::Role::User); out.text("Say yes."); }
    /// #     fn output_schema() -> Option<serde_json::Value> { None }
    /// #     fn parse_reply(reply: &Reply) -> Result<()> {
    /// #         let wrong = typed_prompt::Error::new(typed_prompt::ErrorKind::Output, "it is not `yes`");
    /// #         if reply.text == "yes" { Ok(()) } else { Err(wrong) }
    /// #     }
    /// # }
    /// use typed_prompt::{Llm, MockLlm};
    ///
    /// let llm = MockLlm::new(["no", "yes"]);
    /// pollster::block_on(llm.call(&Yes).output_retries(1))?; // `Yes` takes no other answer than `yes`
    /// let again = llm.requests()[1].messages[0].text().into_owned();
    /// assert!(again.starts_with("Say yes.\n\nYour last answer was:\nno\n\nIt cannot be used: it is not `yes`."));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    fn default_output_retries(&self) -> u32 {
        0
    }

    /// Returns what determines the model's answers besides the request. `None` if it is not known, which is the default.
    ///
    /// An evaluation that resumes refuses the answers of another model only if both models tell it.
    fn model_info(&self) -> Option<ModelInfo> {
        None
    }

    /// Renders a prompt, sends it, and reads the answer into the prompt's output. The prompt is given as itself or as a reference to it.
    ///
    /// Awaiting the call gives the answer. Options are set by name before: `llm.call(&ask).temperature(0.0).await`.
    /// [`Call::detailed`] returns the answer with its reply, attempts and tokens.
    ///
    /// # Errors
    /// A prompt that cannot be rendered, a model that cannot be reached, an answer that does not fit.
    fn call<'a, O>(&'a self, prompt: impl Prompt<Output = O> + 'a) -> Call<'a, O>
    where
        O: 'a,
        Self: Sized, // a `&dyn Llm` is called through a reference: `(&llm).call(…)`
    {
        Call::new(self, &prompt)
    }

    /// Calls a prompt with the tools of an enum: see [`ToolLoop`].
    ///
    /// The argument type of the function that [`ToolLoop::answer`] receives selects the enum.
    fn with_tools<P: AcceptsTools>(&self, prompt: P) -> ToolLoop<'_, P>
    where
        Self: Sized, // a `&dyn Llm` is called through a reference: `(&llm).with_tools(…)`
    {
        ToolLoop::new(self, &prompt, false)
    }

    /// Calls a prompt that contains its own tools: see [`ToolLoop`].
    ///
    /// The calls are parsed into an enum of [`Tools`](crate::Tools), or are returned unchanged:
    ///
    /// ```
    /// use typed_prompt::{Llm, Message, Messages, MockLlm, Reply, Tool, ToolCall};
    ///
    /// let call = ToolCall::new("c1", "depth", r#"{"lake": "Ammersee"}"#);
    /// let llm = MockLlm::new([Reply::calls([call]), Reply::new("It is 81 metres deep.")]);
    /// let ask = Messages::from([Message::user("How deep is it?")]).with_tool(Tool::new("depth"));
    /// let answer = llm.with_own_tools(&ask).answer(async |call: ToolCall| match &*call.name {
    ///     "depth" => Ok("81 m"),
    ///     _ => Ok("there is no such tool"),
    /// });
    /// assert_eq!(pollster::block_on(answer)?, "It is 81 metres deep.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    fn with_own_tools<P: Prompt>(&self, prompt: P) -> ToolLoop<'_, P>
    where
        Self: Sized, // a `&dyn Llm` is called through a reference: `(&llm).with_own_tools(…)`
    {
        ToolLoop::new(self, &prompt, true)
    }
}

macro_rules! pointers {
    ($($ty:ty)*) => {$(
        impl<L: Llm + ?Sized> Llm for $ty {
            fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
                (**self).send(request)
            }

            fn send_streamed<'a>(
                &'a self,
                request: &'a Request,
                on_chunk: OnChunk<'a>,
            ) -> BoxFuture<'a, Result<Reply>> {
                (**self).send_streamed(request, on_chunk)
            }

            fn default_output_retries(&self) -> u32 {
                (**self).default_output_retries()
            }

            fn model_info(&self) -> Option<ModelInfo> {
                (**self).model_info()
            }
        }
    )*};
}

pointers! { &L Box<L> Arc<L> }
