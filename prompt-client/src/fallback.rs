//! A second model for the calls at which the first one fails.

use std::time::Instant;

use prompt_core::{BoxFuture, Error, ErrorKind, Llm, ModelInfo, OnChunk, Reply, Request, Result};

use crate::error::{CallError, CallErrorKind};
use crate::stream::ReplyStream;
use crate::streaming_llm::{StreamingLlm, send_methods, send_to};
use crate::trace;

/// A model, and another one that answers if it fails.
///
/// The second model is called after every error of the first one, once its retries are used up, except for requests that
/// are wrong themselves: [`CallErrorKind::Setup`] and [`CallErrorKind::Key`]. A stream is not continued by the second model
/// after it has begun. [`Reply::model`] is the name of the model that answered. If both fail, the error is that of the
/// second model, and [`Error::others`] contains that of the first.
///
/// An answer that does not fit the output type of the prompt is not such an error: the first model has answered. It is retried as
/// `output_retries` allows, and the second model is not asked. Call the second model in the program if it should be:
///
/// ```
/// use typed_prompt::{ErrorKind, Llm, MockLlm, Prompt, client::Fallback};
///
/// #[derive(Prompt)]
/// #[prompt(user = "Rate the urgency from 1 to 5: <ticket>", output = u8)]
/// struct Urgency<'a> {
///     ticket: &'a str,
/// }
///
/// let (small, large) = (MockLlm::new(["I cannot say."]), MockLlm::new(["4"]));
/// let llm = Fallback::new(&small, &large); // for errors of `small`: no connection, overload, …
/// let ask = Urgency { ticket: "The site is down." };
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let urgency = match llm.call(&ask).await {
///     Err(error) if error.kind() == ErrorKind::Output => large.call(&ask).await?,
///     answer => answer?,
/// };
/// assert_eq!(urgency, 4);
/// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
/// ```
///
/// ```
/// use typed_prompt::{Error, ErrorKind, Llm, Message, Messages, MockLlm, Reply, client::Fallback};
///
/// let first = MockLlm::from_fn(|_| Err(Error::new(ErrorKind::Model, "the server is overloaded")));
/// let second = MockLlm::new([Reply::new("Nine metres.").with_model("b")]);
/// let llm = Fallback::new(first, second); // `.or(third)` adds another one
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let answer = llm.call(&Messages::from([Message::user("How deep is it?")])).await?;
/// assert_eq!(answer, "Nine metres.");
/// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
/// ```
#[derive(Clone, Debug)]
#[must_use = "this is a model of its own: call it in place of the first one"]
pub struct Fallback<A, B> {
    first: A,
    second: B,
}

impl<A, B> Fallback<A, B> {
    /// A model, and the model that answers if it fails.
    pub fn new(first: A, second: B) -> Fallback<A, B> {
        Fallback { first, second }
    }

    /// Adds a model that answers if the others fail.
    ///
    /// ```no_run
    /// use typed_prompt::client::{ChatModel, Fallback};
    ///
    /// let llm = Fallback::new(ChatModel::new("openai::gpt-5")?, ChatModel::new("anthropic::claude-sonnet-4-5")?)
    ///     .or(ChatModel::openai_compatible("http://localhost:8080/v1", "qwen3")?);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn or<C>(self, third: C) -> Fallback<Fallback<A, B>, C> {
        Fallback::new(self, third)
    }
}

/// The error, if it is not one that another model can avoid.
fn require_transient(error: Error, request: &Request) -> Result<Error> {
    let is_wrong_request = match CallError::source_of(&error) {
        Some(error) => matches!(error.kind(), CallErrorKind::Setup | CallErrorKind::Key),
        None => !matches!(error.kind(), ErrorKind::Model | ErrorKind::MockExhausted),
    };
    if is_wrong_request {
        return Err(error);
    }
    trace::record_fallback(request, CallError::source_of(&error));
    Ok(error)
}

impl<A: Llm, B: Llm> Fallback<A, B> {
    async fn send_to(&self, request: &Request, mut on_chunk: Option<OnChunk<'_>>) -> Result<Reply> {
        let begin = Instant::now();
        let mut has_begun = false;
        let sent = match &mut on_chunk {
            None => self.first.send(request).await,
            Some(on_chunk) => {
                let mut count_chunks = |chunk| {
                    has_begun = true;
                    on_chunk(chunk);
                };
                let sent = self.first.send_streamed(request, &mut count_chunks);
                sent.await
            }
        };
        match sent {
            Ok(reply) => Ok(reply),
            Err(error) if has_begun => Err(error),
            Err(error) => {
                let first = require_transient(error, request)?;
                request.record_failure(&first, begin.elapsed());
                let second = send_to(&self.second, request, on_chunk).await;
                second.map_err(|error| error.with_others(vec![first]))
            }
        }
    }
}

impl<A: Llm, B: Llm> Llm for Fallback<A, B> {
    send_methods!();

    fn default_output_retries(&self) -> u32 {
        self.first.default_output_retries()
    }

    /// The first model, with the name of both: each of them may have answered.
    fn model_info(&self) -> Option<ModelInfo> {
        let (mut info, second) = (self.first.model_info()?, self.second.model_info()?);
        info.name = format!("{}, or {}", info.name, second.name);
        Some(info)
    }
}

impl<A: StreamingLlm, B: StreamingLlm> StreamingLlm for Fallback<A, B> {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<ReplyStream>> {
        Box::pin(async move {
            let begin = Instant::now();
            match self.first.stream(request).await {
                Ok(stream) => Ok(stream),
                Err(error) => {
                    let first = require_transient(error, request)?;
                    request.record_failure(&first, begin.elapsed());
                    let second = self.second.stream(request).await;
                    second.map_err(|error| error.with_others(vec![first]))
                }
            }
        })
    }
}
