//! The request to a model: messages, output schema and options such as the temperature.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{Attempt, Options, ToolChoice};
use crate::format::already_answered;
use crate::{Error, Fingerprint, Messages, Prompt, PromptInfo, Result, Role};

/// A request to a model.
///
/// ```
/// use typed_prompt::{Message, Messages, Request};
///
/// let request = Request::from_prompt(&Messages::from([Message::user("Hi")]))?;
/// assert_eq!(request.messages.len(), 1);
/// assert!(request.schema.is_none());
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use = "a request is sent by `llm.complete(&request)`"]
pub struct Request {
    /// The conversation, and the tools that the model may use.
    pub messages: Messages,
    /// The JSON Schema of the answer; how it reaches the model is the provider's choice.
    pub schema: Option<serde_json::Value>,
    /// How the model is to answer.
    pub options: Options,
    /// The number of the answer, if the same request is sent several times for different answers. It is not sent; caches and recordings
    /// distinguish requests by it.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Request};
    ///
    /// let first = Request::from_prompt(&Messages::from([Message::user("Hi")]))?;
    /// let mut second = first.clone();
    /// second.repeat = 1;
    /// assert_ne!(first.identity()?, second.identity()?);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub repeat: u64,
    /// Which prompt is asked.
    pub info: &'static PromptInfo,
    /// The failed attempts, if a report needs them. Copies of the request share them.
    failures: Option<Arc<Mutex<Vec<Attempt>>>>,
}

impl Request {
    /// Renders a prompt that the model is to answer.
    ///
    /// # Errors
    /// As [`Prompt::messages`], and a prompt whose last message is the assistant's, other than calls of tools.
    pub fn from_prompt<P: Prompt>(prompt: &P) -> Result<Request> {
        let messages = prompt.messages()?;
        if messages
            .last()
            .is_some_and(|last| last.role == Role::Assistant && last.tool_calls.is_empty())
        {
            let help = "end with a user message. A field with the correct answer is marked with `#[prompt(answer)]`, and \
                `Request::from_messages` sends the beginning of an answer";
            return Err(already_answered(messages.len() - 1).with_help(help));
        }
        Ok(Request {
            schema: P::output_schema(),
            info: &P::INFO,
            ..Request::from_messages(messages)
        })
    }

    /// A request with these messages, without an output type. The last one may be the assistant's: the beginning of an answer, which some
    /// providers continue.
    ///
    /// ```
    /// use typed_prompt::{Llm, Message, Messages, MockLlm, Request};
    ///
    /// let begun = Messages::from([Message::user("Name a colour."), Message::assistant("My favourite is")]);
    /// assert!(Request::from_prompt(&begun).is_err());
    /// let reply = pollster::block_on(MockLlm::new([" blue."]).send(&Request::from_messages(begun)))?;
    /// assert_eq!(&*reply.text, " blue.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_messages(messages: Messages) -> Request {
        Request {
            messages,
            schema: None,
            options: Options::default(),
            repeat: 0,
            info: &Messages::INFO,
            failures: None,
        }
    }

    /// The parts that determine the answer, as JSON: the prompt's name and fingerprint, messages, tools, schema and options, and the number of
    /// the repeat.
    ///
    /// Two requests with the same text get the same answer from a cache or a recording. The timeout is not a part of it.
    ///
    /// # Errors
    /// A part of the request has no form in JSON.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Request};
    ///
    /// let ask = |text: &str| Request::from_prompt(&Messages::from([Message::user(text)]))?.identity();
    /// assert_eq!(ask("Hi")?, ask("Hi")?);
    /// assert_ne!(ask("Hi")?, ask("Hello")?);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn identity(&self) -> Result<String> {
        crate::recording::request_identity(self)
    }

    /// A hash of the [`identity`](Request::identity): FNV-1a of 64 bits. Equal requests have equal fingerprints, in each process and version of the
    /// compiler.
    ///
    /// # Errors
    /// As [`identity`](Request::identity).
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Request};
    ///
    /// let ask = |text: &str| Request::from_prompt(&Messages::from([Message::user(text)]))?.fingerprint();
    /// assert_eq!(ask("Hi")?, ask("Hi")?);
    /// assert_ne!(ask("Hi")?, ask("Hello")?);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn fingerprint(&self) -> Result<Fingerprint> {
        let fold = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = self.identity()?.bytes().fold(0xcbf2_9ce4_8422_2325, fold);
        Ok(Fingerprint(hash))
    }

    /// Adds a failed attempt to the report of the call, for models that send a request again, or to another model, after an error which they do not return.
    /// The error that a model returns is added by the call itself.
    ///
    /// ```
    /// use std::time::Duration;
    /// use typed_prompt::{Error, ErrorKind, Llm, Messages, Reply, Request, Result, llm::BoxFuture};
    ///
    /// struct SecondTry;
    /// impl Llm for SecondTry {
    ///     fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
    ///         request.record_failure(&Error::new(ErrorKind::Model, "overloaded"), Duration::from_secs(1));
    ///         Box::pin(async { Ok(Reply::new("Hi.")) })
    ///     }
    /// }
    /// let answered = pollster::block_on(SecondTry.call(Messages::new()).detailed())?;
    /// assert_eq!(answered.attempts[0].error.as_ref().unwrap().message(), "overloaded");
    /// assert_eq!(answered.attempts.len(), 2);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn record_failure(&self, error: &Error, latency: Duration) {
        if let Some(failures) = &self.failures {
            let attempt = Attempt::new(self, None, Some(error), latency);
            let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
            failures.push(attempt);
        }
    }

    /// Keeps failed attempts, for programs that read replies with [`Answered::from_reply`](crate::Answered::from_reply).
    pub fn with_failures(mut self) -> Request {
        self.failures.get_or_insert_default();
        self
    }

    /// The attempts that failed so far. `None` if the request does not [keep them](Request::with_failures).
    ///
    /// ```
    /// use std::time::Duration;
    /// use typed_prompt::{Error, ErrorKind, Messages, Request};
    ///
    /// let request = Request::from_prompt(&Messages::new())?.with_failures();
    /// request.record_failure(&Error::new(ErrorKind::Model, "overloaded"), Duration::ZERO);
    /// assert_eq!(request.failures().map(|failures| failures.len()), Some(1));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn failures(&self) -> Option<Vec<Attempt>> {
        let failures = self.failures.as_ref()?;
        let failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
        Some(failures.clone())
    }

    /// Checks the options before the request is sent.
    pub(crate) fn check_options(&self) -> Result<()> {
        self.options.check_values()?;
        let tools = self.messages.tools();
        match &self.options.tool_choice {
            // The model may offer the answer as a tool, by its schema.
            Some(ToolChoice::Required) if self.schema.is_some() => Ok(()),
            Some(choice) => choice.check_tools(tools),
            None => Ok(()),
        }
    }

    /// The failed attempts since the last call of this function.
    pub(crate) fn take_failures(&self) -> Vec<Attempt> {
        let failures = self.failures.as_ref();
        failures.map_or_else(Vec::new, |failures| {
            let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *failures)
        })
    }

    /// Sets the options of the answer.
    ///
    /// ```
    /// use typed_prompt::{Messages, Request, llm::Options};
    ///
    /// let options = Options::new().max_tokens(10);
    /// assert_eq!(Request::from_prompt(&Messages::new())?.with_options(options).options.max_tokens, Some(10));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn with_options(mut self, options: Options) -> Request {
        self.options = options;
        self
    }
}
