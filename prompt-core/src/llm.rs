mod reask;
mod structured;

pub(crate) use reask::again;
pub use structured::Structured;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::{Error, Message, Messages, Prompt, PromptInfo, Result, Rounds, TakesTools, ToolCall};

/// A future on the heap, as [`Llm::send`] returns it.
///
/// ```
/// use prompt_core::BoxFuture;
///
/// let future: BoxFuture<'_, u8> = Box::pin(async { 1 });
/// assert_eq!(pollster::block_on(future), 1);
/// ```
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A model that can be asked.
///
/// ```
/// use prompt_core::{Llm, Message, Messages, Scripted};
///
/// let llm = Scripted::new(["Nine metres."]);
/// let answer = pollster::block_on(llm.call(&Messages::from([Message::user("How deep is it?")])))?;
/// assert_eq!(answer, "Nine metres.");
/// # Ok::<(), prompt_core::Error>(())
/// ```
///
/// A model of your own answers one [`Request`]:
///
/// ```
/// use prompt_core::{BoxFuture, Llm, Reply, Request, Result};
///
/// struct Echo;
/// impl Llm for Echo {
///     fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
///         let text = request.messages.last().map(|message| message.text().into_owned());
///         Box::pin(async move { Ok(Reply::new(text.unwrap_or_default())) })
///     }
/// }
/// ```
pub trait Llm: Send + Sync {
    /// Sends a request and waits for the whole answer.
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>>;

    /// How often a prompt is asked again, with what is wrong, when the answer does not fit its output type.
    ///
    /// Not at all, unless a model says otherwise; [`Options::reasks`] goes before it.
    ///
    /// ```
    /// # use prompt_core::{Fingerprint, Prompt, PromptInfo, Reply, Result, Slots, Writer};
    /// # struct Yes;
    /// # impl Prompt for Yes {
    /// #     type Output = ();
    /// #     const INFO: &'static PromptInfo = &PromptInfo {
    /// #         name: "Yes", doc: "", model: None, slots: Slots::NONE, file: "", line: 1, column: 1, fingerprint: Fingerprint(0),
    /// #     };
    /// #     fn render(&self, out: &mut Writer) { out.role(prompt_core::Role::User); out.text("Say yes."); }
    /// #     fn output_schema() -> Option<serde_json::Value> { None }
    /// #     fn read(reply: &Reply) -> Result<()> {
    /// #         let wrong = prompt_core::Error::new(prompt_core::ErrorKind::Output, "it is not `yes`");
    /// #         if reply.text == "yes" { Ok(()) } else { Err(wrong) }
    /// #     }
    /// # }
    /// use prompt_core::{Llm, Options, Scripted};
    ///
    /// let llm = Scripted::new(["no", "yes"]);
    /// let options = Options { reasks: Some(1), ..Options::default() };
    /// pollster::block_on(llm.call_with(&Yes, options))?; // `Yes` takes no other answer than `yes`
    /// let again = llm.requests()[1].messages[0].text().into_owned();
    /// assert!(again.starts_with("Say yes.\n\nYour last answer was:\nno\n\nIt cannot be used: it is not `yes`."));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    fn reasks(&self) -> u32 {
        0
    }

    /// Renders a prompt, asks it, and reads the answer into the prompt's output.
    ///
    /// The prompt is given as itself or as a reference to it.
    ///
    /// # Errors
    /// A prompt that could not be written, a model that could not be reached, an answer that does not fit.
    fn call<P: Prompt>(&self, prompt: P) -> impl Future<Output = Result<P::Output>> + Send
    where
        Self: Sized,
    {
        self.call_with(prompt, Options::default())
    }

    /// [`call`](Llm::call) with options.
    ///
    /// # Errors
    /// As [`call`](Llm::call).
    fn call_with<P: Prompt>(
        &self,
        prompt: P,
        options: Options,
    ) -> impl Future<Output = Result<P::Output>> + Send
    where
        Self: Sized,
    {
        // Rendered before the first wait, so that the prompt need not be `Sync`.
        let request = Request::of(&prompt).map(|request| request.with_options(options));
        async move {
            let request = request?;
            let times = request.options.reasks.unwrap_or_else(|| self.reasks());
            let known = |error: Error| error.of_prompt(request.info.name, request.info.fingerprint);
            reask::call::<P>(self, &request, times).await.map_err(known)
        }
    }

    /// Asks a prompt whose model may call the tools of an enum: see [`Rounds`].
    ///
    /// Which enum it is says the function that is given to [`Rounds::answer`].
    fn with_tools<P: TakesTools>(&self, prompt: P) -> Rounds<'_, Self, P>
    where
        Self: Sized,
    {
        Rounds::new(self, &prompt, false)
    }

    /// Asks a prompt whose model may call the tools that the prompt brings: see [`Rounds`].
    ///
    /// The calls are read as an enum of [`Tools`](crate::Tools), or left as they are:
    ///
    /// ```
    /// use prompt_core::{Llm, Message, Messages, Reply, Scripted, Tool, ToolCall};
    ///
    /// let call = ToolCall::new("c1", "depth", r#"{"lake": "Ammersee"}"#);
    /// let llm = Scripted::new([Reply::calls([call]), Reply::new("It is 81 metres deep.")]);
    /// let ask = Messages::from([Message::user("How deep is it?")]).with_tool(Tool::new("depth"));
    /// let answer = llm.with_own_tools(&ask).answer(async |call: ToolCall| match &*call.name {
    ///     "depth" => Ok("81 m"),
    ///     _ => Ok("there is no such tool"),
    /// });
    /// assert_eq!(pollster::block_on(answer)?, "It is 81 metres deep.");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    fn with_own_tools<P: Prompt>(&self, prompt: P) -> Rounds<'_, Self, P>
    where
        Self: Sized,
    {
        Rounds::new(self, &prompt, true)
    }
}

macro_rules! pointers {
    ($($ty:ty)*) => {$(
        impl<L: Llm + ?Sized> Llm for $ty {
            fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
                (**self).send(request)
            }

            fn reasks(&self) -> u32 {
                (**self).reasks()
            }
        }
    )*};
}

pointers! { &L Box<L> Arc<L> }

/// What is sent to a model.
///
/// ```
/// use prompt_core::{Message, Messages, Request};
///
/// let request = Request::of(&Messages::from([Message::user("Hi")]))?;
/// assert_eq!(request.messages.len(), 1);
/// assert!(request.schema.is_none());
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request {
    /// The conversation, and the tools that the model may use.
    pub messages: Messages,
    /// The JSON Schema of the answer; how it reaches the model is the provider's choice.
    pub schema: Option<serde_json::Value>,
    /// How the model is to answer.
    pub options: Options,
    /// Which prompt is asked.
    pub info: &'static PromptInfo,
}

impl Request {
    /// Renders a prompt.
    ///
    /// # Errors
    /// What the prompt holds and could not be written: see [`Messages::check`].
    pub fn of<P: Prompt>(prompt: &P) -> Result<Request> {
        let messages = prompt.messages();
        messages
            .check()
            .map_err(|error| error.with_prompt(P::INFO))?;
        Ok(Request {
            messages,
            schema: P::output_schema(),
            options: Options::default(),
            info: P::INFO,
        })
    }

    /// Says how the model is to answer.
    ///
    /// ```
    /// use prompt_core::{Messages, Options, Request};
    ///
    /// let options = Options { max_tokens: Some(10), ..Options::default() };
    /// assert_eq!(Request::of(&Messages::new())?.with_options(options).options.max_tokens, Some(10));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_options(mut self, options: Options) -> Request {
        self.options = options;
        self
    }
}

/// How a model is to answer; what is `None` is left to the model.
///
/// ```
/// use prompt_core::Options;
///
/// let options = Options { temperature: Some(0.0), seed: Some(1), ..Options::default() };
/// assert!(options.max_tokens.is_none());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// How freely tokens are drawn.
    pub temperature: Option<f64>,
    /// How much of the probability tokens are drawn from.
    pub top_p: Option<f64>,
    /// The longest answer.
    pub max_tokens: Option<u64>,
    /// Makes draws repeatable, where the model can.
    pub seed: Option<u64>,
    /// Texts at which the answer ends.
    pub stop: Vec<String>,
    /// How long to wait for the answer.
    pub timeout: Option<Duration>,
    /// How often to ask again, with what is wrong, when the answer does not fit; 0 for never.
    pub reasks: Option<u32>,
}

/// What a model answers.
///
/// ```
/// let reply = prompt_core::Reply::new("Hello.");
/// assert!(reply.tool_calls.is_empty());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Reply {
    /// The text.
    pub text: String,
    /// What the model thought before, where the server keeps it apart.
    pub reasoning: Option<String>,
    /// The tools that the model calls.
    pub tool_calls: Vec<ToolCall>,
    /// How many tokens it took.
    pub usage: Option<Usage>,
    /// Which model answered.
    pub model: Option<String>,
    /// Why the answer ended.
    pub finish: Option<Finish>,
    /// How the model was given the JSON Schema of the answer; `None` if it was given none, or the model does not say.
    pub structured: Option<Structured>,
}

impl Reply {
    /// An answer of text.
    pub fn new(text: impl Into<String>) -> Reply {
        Reply {
            text: text.into(),
            ..Reply::default()
        }
    }

    /// An answer that calls tools.
    ///
    /// ```
    /// use prompt_core::{Finish, Reply, ToolCall};
    ///
    /// let reply = Reply::calls([ToolCall::new("1", "add", "{}")]);
    /// assert_eq!(reply.finish, Some(Finish::ToolCalls));
    /// ```
    pub fn calls(calls: impl IntoIterator<Item = ToolCall>) -> Reply {
        Reply {
            tool_calls: calls.into_iter().collect(),
            finish: Some(Finish::ToolCalls),
            ..Reply::default()
        }
    }

    /// The answer as a message, to go on with the conversation.
    ///
    /// ```
    /// use prompt_core::{Message, Reply};
    ///
    /// let mut reply = Reply::new("4");
    /// reply.reasoning = Some("Easy.".to_owned());
    /// assert_eq!(reply.message(), Message::assistant("4").with_reasoning("Easy."));
    /// ```
    pub fn message(&self) -> Message {
        Message {
            tool_calls: self.tool_calls.clone(),
            ..Message::assistant(&*self.text)
        }
        .with_reasoning(self.reasoning.as_deref().unwrap_or_default())
    }

    /// Says which model answered.
    ///
    /// ```
    /// assert_eq!(prompt_core::Reply::new("Hi").with_model("m-1").model.as_deref(), Some("m-1"));
    /// ```
    pub fn with_model(mut self, model: impl Into<String>) -> Reply {
        self.model = Some(model.into());
        self
    }

    /// Says why the answer ended.
    pub fn with_finish(mut self, finish: Finish) -> Reply {
        self.finish = Some(finish);
        self
    }

    /// Says how the model was given the JSON Schema of the answer.
    pub fn with_structured(mut self, structured: Structured) -> Reply {
        self.structured = Some(structured);
        self
    }

    /// Says how many tokens it took.
    pub fn with_usage(mut self, usage: Usage) -> Reply {
        self.usage = Some(usage);
        self
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Reply {
        Reply::new(text)
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Reply {
        Reply::new(text)
    }
}

/// How many tokens a call took.
///
/// ```
/// use prompt_core::{Reply, Usage};
///
/// let reply = Reply::new("Hi").with_usage(Usage { input: 8, output: 1 });
/// assert_eq!(reply.usage.unwrap().input, 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens of the answer.
    pub output: u64,
}

/// Why an answer ended.
///
/// ```
/// use prompt_core::{Finish, Reply};
///
/// let reply = Reply::new("Hi, I am").with_finish(Finish::Length);
/// assert_ne!(reply.finish, Some(Finish::Stop));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Finish {
    /// The model had said all.
    Stop,
    /// The answer reached its greatest length.
    Length,
    /// The model calls tools.
    ToolCalls,
    /// The provider held the answer back.
    Filter,
    /// A reason that only this provider knows.
    Other(String),
}

impl Finish {
    /// The reason in one word, as OpenAI's API and OpenTelemetry write it.
    ///
    /// ```
    /// use prompt_core::Finish;
    ///
    /// assert_eq!(Finish::Filter.name(), "content_filter");
    /// assert_eq!(Finish::from_name("content_filter"), Finish::Filter);
    /// ```
    pub fn name(&self) -> &str {
        match self {
            Finish::Stop => "stop",
            Finish::Length => "length",
            Finish::ToolCalls => "tool_calls",
            Finish::Filter => "content_filter",
            Finish::Other(reason) => reason,
        }
    }

    /// The reason with this name; any other name is the provider's own.
    pub fn from_name(name: &str) -> Finish {
        match name {
            "stop" => Finish::Stop,
            "length" => Finish::Length,
            "tool_calls" => Finish::ToolCalls,
            "content_filter" => Finish::Filter,
            _ => Finish::Other(name.to_owned()),
        }
    }
}
