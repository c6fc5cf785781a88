//! The request to a model: messages, output schema and options such as the temperature.

use std::time::Duration;

use crate::{Messages, Prompt, PromptInfo, Result};

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
    /// As [`Prompt::messages`].
    pub fn of<P: Prompt>(prompt: &P) -> Result<Request> {
        Ok(Request {
            messages: prompt.messages()?,
            schema: P::output_schema(),
            options: Options::default(),
            info: &P::INFO,
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
    pub output_retries: Option<u32>,
}
