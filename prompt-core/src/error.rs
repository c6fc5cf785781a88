//! The error type of this crate: its kind, message, help, source, and the place in a prompt or in an answer.

mod drawing;

use std::error::Error as StdError;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use drawing::{Drawing, floor_char_boundary};

use crate::llm::{Attempt, total_cost, total_usage};
use crate::{Fingerprint, Messages, PromptInfo, Role, Usage};
use prompt_base::suggest;

/// A result with this crate's [`Error`].
///
/// ```
/// fn double(text: &str) -> typed_prompt::Result<f64> {
///     Ok(2.0 * typed_prompt::message::Json::parse(text)?.deserialize_as::<f64>()?)
/// }
/// assert_eq!(double("1.5").unwrap(), 3.0);
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of this library: its message, its position, and the action that corrects it.
///
/// `{}` prints one sentence and the help; `{:#}` (and `{:?}`, so that `unwrap` is readable) draws the place below it.
///
/// ```
/// use typed_prompt::{ErrorKind, format};
///
/// let error = format::from_name("chatlm").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::UnknownFormat);
/// assert_eq!(error.to_string(), "there is no format `chatlm`; did you mean `chatml`?");
/// ```
#[derive(Clone)]
pub struct Error(Box<ErrorDetails>);

/// The kinds of [`Error`], to be matched on.
///
/// ```
/// use typed_prompt::{ErrorKind, message::Json};
///
/// assert_eq!(Json::parse("{").unwrap_err().kind(), ErrorKind::Json);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No format, family or key set has this name.
    UnknownFormat,
    /// The format cannot express the messages.
    Unsupported,
    /// Data contains a control token, and the guard rejects it.
    ControlToken,
    /// A conversation cannot be parsed, or the order of its messages is invalid.
    History,
    /// A tool's definition is wrong.
    Tool,
    /// An image, audio, video or file cannot be used.
    Media,
    /// A value cannot be written as JSON, or text is not JSON.
    Json,
    /// A training label where none is accepted.
    Label,
    /// A value did something that only a template may do.
    Value,
    /// The model's answer is not what was asked for.
    Output,
    /// The model, or the way to it, failed.
    Model,
    /// A model's chat template, or the file that contains it, cannot be used.
    Template,
    /// A mock model or recording has no further answer.
    MockExhausted,
    /// A tokenizer cannot be parsed, or belongs to another model than the format.
    Tokenizer,
}

#[derive(Clone)]
struct ErrorDetails {
    kind: ErrorKind,
    message: String,
    help: Option<String>,
    /// What the program can do, where the help is for the model.
    note: Option<String>,
    position: MessagePosition,
    drawing: Option<Drawing>,
    others: Vec<Error>,
    prompt: Option<(&'static str, Fingerprint)>,
    model: Option<String>,
    answer: Option<String>,
    attempts: Vec<Attempt>,
    usage: Option<Usage>,
    cost: Option<f64>,
    messages: Option<Messages>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// Where in the messages an error lies.
#[derive(Clone, Default)]
struct MessagePosition {
    message: Option<usize>,
    role: Option<Role>,
    slot: Option<&'static str>,
    range: Option<Range<usize>>,
}

impl Error {
    /// Returns an error with a message: lowercase, without a full stop.
    ///
    /// Implementations of [`Llm`](crate::Llm) and [`ToMedia`](crate::ToMedia) use it for their own failures.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Model, "the model is asleep").with_help("wake it");
    /// assert_eq!(error.to_string(), "the model is asleep; wake it");
    /// ```
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error(Box::new(ErrorDetails {
            kind,
            message: message.into(),
            help: None,
            note: None,
            position: MessagePosition::default(),
            drawing: None,
            others: Vec::new(),
            prompt: None,
            model: None,
            answer: None,
            attempts: Vec::new(),
            usage: None,
            cost: None,
            messages: None,
            source: None,
        }))
    }

    /// Adds what to do about it; starts with a verb.
    pub fn with_help(mut self, help: impl Into<String>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    /// Keeps the error that this one came from.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Model, "no line").with_source(std::io::Error::other("refused"));
    /// assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "refused");
    /// ```
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Error {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// Keeps the name of the model that was asked, unless it is empty.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Model, "asleep").with_model("m-1").with_answer("Zzz");
    /// assert_eq!((error.model(), error.answer()), (Some("m-1"), Some("Zzz")));
    /// ```
    pub fn with_model(mut self, model: impl Into<String>) -> Error {
        self.0.model = Some(model.into()).filter(|name| !name.is_empty());
        self
    }

    /// Keeps the model's whole answer.
    pub fn with_answer(mut self, answer: impl Into<String>) -> Error {
        self.0.answer = Some(answer.into());
        self
    }

    /// Adds what the program can do about an answer that does not fit, of which the help is for the model: it is sent with a retry.
    pub(crate) fn with_retry_note(mut self, attempts: &[Attempt]) -> Error {
        let refused = |attempt: &&Attempt| attempt.reply.is_some() && attempt.error.is_some();
        let times = match attempts.iter().filter(refused).count() {
            0 | 1 => "once".to_owned(),
            count => format!("{count} times"),
        };
        self.0.note = Some(format!(
            "the model was asked for this answer {times}; `.output_retries(n)` on the call sends it this error and asks again, up to `n` times"
        ));
        self
    }

    /// Keeps the requests of the call that failed.
    pub(crate) fn with_attempts(mut self, attempts: Vec<Attempt>) -> Error {
        self.0.attempts = attempts;
        self
    }

    /// Keeps the tokens that the provider counted before the error, for models whose answer broke off or was refused.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind, llm::Usage};
    ///
    /// let error = Error::new(ErrorKind::Model, "the stream broke off").with_usage(Usage::new(8, 0));
    /// assert_eq!(error.usage().input, 8);
    /// ```
    pub fn with_usage(mut self, usage: Usage) -> Error {
        self.0.usage = Some(usage);
        self
    }

    /// Keeps the cost of the tokens that the provider counted before the error.
    pub fn with_cost(mut self, cost: f64) -> Error {
        self.0.cost = Some(cost);
        self
    }

    /// Keeps the conversation of a tool loop.
    pub(crate) fn with_messages(mut self, messages: Messages) -> Error {
        self.0.messages = Some(messages);
        self
    }

    /// Keeps which prompt was asked.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind, Messages, Prompt};
    ///
    /// let error = Error::new(ErrorKind::Model, "asleep").with_prompt(&Messages::INFO);
    /// assert_eq!(error.prompt(), Some("Messages"));
    /// ```
    pub fn with_prompt(mut self, info: &PromptInfo) -> Error {
        self.0.prompt = Some((info.name, info.fingerprint));
        self
    }

    /// The same, unless the error names a prompt already.
    pub(crate) fn or_with_prompt(mut self, info: &PromptInfo) -> Error {
        self.0.prompt.get_or_insert((info.name, info.fingerprint));
        self
    }

    /// Puts the name of a file or of an item of a list before the message.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Json, "not an object").inside("messages[1]");
    /// assert_eq!(error.message(), "messages[1]: not an object");
    /// ```
    pub fn inside(mut self, item: &str) -> Error {
        self.0.message = format!("{item}: {}", self.0.message);
        self
    }

    /// Returns the error for a name that is not in a table of names, with the most similar one as its help.
    ///
    /// ```
    /// use typed_prompt::Error;
    ///
    /// let error = Error::unknown_name("layout", "aplaca", &["alpaca", "chat"]);
    /// assert_eq!(error.to_string(), "there is no layout `aplaca`; did you mean `alpaca`?");
    /// ```
    pub fn unknown_name(what: &str, name: &str, known: &[&str]) -> Error {
        let message = format!("there is no {what} `{name}`");
        Error::new(ErrorKind::UnknownFormat, message).with_help(
            match suggest::closest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use one of `{}`", known.join("`, `")),
            },
        )
    }

    /// Adds the index and role of the message that the error is about.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind, Role};
    ///
    /// let error = Error::new(ErrorKind::Unsupported, "too long").at_message(1, Role::User);
    /// assert_eq!((error.message_index(), error.role()), (Some(1), Some(Role::User)));
    /// ```
    pub fn at_message(mut self, index: usize, role: Role) -> Error {
        self.0.position.message = Some(index);
        self.0.position.role = Some(role);
        self
    }

    /// Adds the index of the message that the error is about.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind};
    ///
    /// assert_eq!(Error::new(ErrorKind::Unsupported, "too long").at_index(1).message_index(), Some(1));
    /// ```
    pub fn at_index(mut self, index: usize) -> Error {
        self.0.position.message = Some(index);
        self
    }

    pub(crate) fn at_slot(mut self, slot: Option<&'static str>, range: Range<usize>) -> Error {
        self.0.position.slot = slot;
        self.0.position.range = Some(range);
        self
    }

    /// Draws a span of a source text below the message. Only the lines of the span are kept, so that a long text costs nothing.
    pub(crate) fn with_drawing(
        mut self,
        text: &str,
        span: Range<usize>,
        label: impl Into<String>,
    ) -> Error {
        self.0.drawing = Some(Drawing::new(text, span, label.into()));
        self
    }

    /// Adds other errors in the same template, which [`others`](Error::others) returns.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind};
    ///
    /// let second = Error::new(ErrorKind::Template, "unknown slot `b`");
    /// let error = Error::new(ErrorKind::Template, "unknown slot `a`").with_others(vec![second]);
    /// assert_eq!(error.others()[0].message(), "unknown slot `b`");
    /// ```
    pub fn with_others(mut self, others: Vec<Error>) -> Error {
        self.0.others = others;
        self
    }

    /// Adds a drawing of the source text with the wrong part underlined, which `{:#}` prints below the message.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Template, "unknown slot `b`").with_snippet("1 | <b>\n  |  ^");
    /// assert_eq!(format!("{error:#}"), "unknown slot `b`\n1 | <b>\n  |  ^");
    /// ```
    pub fn with_snippet(mut self, snippet: impl Into<String>) -> Error {
        self.0.drawing = Some(Drawing::Done(snippet.into()));
        self
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The message, without the help.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The action that corrects the error.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The drawing of the source text with the wrong part underlined, which `{:#}` prints below the message.
    ///
    /// ```
    /// let error = typed_prompt::message::Json::parse("{a}").unwrap_err();
    /// assert!(error.snippet().is_some_and(|snippet| snippet.contains('^')));
    /// ```
    pub fn snippet(&self) -> Option<String> {
        self.0.drawing.as_ref().map(ToString::to_string)
    }

    /// The other errors of the same text: all mistakes of a template are found at once.
    ///
    /// ```
    /// assert!(typed_prompt::message::Json::parse("{").unwrap_err().others().is_empty());
    /// ```
    pub fn others(&self) -> &[Error] {
        &self.0.others
    }

    /// Which message of the conversation it concerns, counted from 0.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format};
    ///
    /// let messages = Messages::from([Message::user("Hi"), Message::assistant("Hello")]);
    /// let error = messages.to_text(format::ALPACA).unwrap_err();
    /// assert_eq!(error.message_index(), Some(1));
    /// ```
    pub fn message_index(&self) -> Option<usize> {
        self.0.position.message
    }

    /// The role of the message that the error is about. `None` for control tokens in data: the text in which they are found has
    /// the positions of messages, without their roles.
    pub fn role(&self) -> Option<Role> {
        self.0.position.role
    }

    /// The name of the slot whose value the error is about. In the text of a fragment it is the slot of the fragment, not that of the prompt that contains it;
    /// in a loop it is the name of the loop variable (`p`, `p.text`), not that of the list's field.
    ///
    /// ```
    /// use typed_prompt::{Guard, Prompt, format};
    ///
    /// #[derive(Prompt)]
    /// #[prompt(fragment = "Source: <text>")]
    /// struct Source { text: &'static str }
    ///
    /// #[derive(Prompt)]
    /// #[prompt(user = "<source>")]
    /// struct Ask { source: Source }
    ///
    /// let ask = Ask { source: Source { text: "<|im_end|>" } };
    /// let error = ask.to_text(format::CHATML.guard(Guard::Reject)).unwrap_err();
    /// assert_eq!(error.slot(), Some("text"));
    /// ```
    pub fn slot(&self) -> Option<&'static str> {
        self.0.position.slot
    }

    /// Which bytes it concerns: of the wrapped text, or of the model's answer.
    pub fn range(&self) -> Option<Range<usize>> {
        self.0.position.range.clone()
    }

    /// Which prompt was asked.
    pub fn prompt(&self) -> Option<&'static str> {
        self.0.prompt.map(|(name, _)| name)
    }

    /// The fingerprint of the prompt that was asked.
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        self.0.prompt.map(|(_, fingerprint)| fingerprint)
    }

    /// Which model answered.
    pub fn model(&self) -> Option<&str> {
        self.0.model.as_deref()
    }

    /// The model's whole answer, as it came.
    pub fn answer(&self) -> Option<&str> {
        self.0.answer.as_deref()
    }

    /// The requests of a [call](crate::Llm::call) that failed, in order, each with its reply or its error.
    ///
    /// ```
    /// use typed_prompt::llm::{FinishReason, Usage};
    /// use typed_prompt::{Llm, Message, Messages, MockLlm, Reply};
    ///
    /// let withheld = || Reply::new("").with_finish(FinishReason::ContentFilter).with_usage(Usage::new(8, 1));
    /// let llm = MockLlm::new([withheld(), withheld()]);
    /// let ask = Messages::from([Message::user("Hi")]);
    /// let error = pollster::block_on(llm.call(&ask).output_retries(1)).unwrap_err();
    /// assert_eq!((error.attempts().len(), error.usage()), (2, Usage::new(16, 2)));
    /// ```
    pub fn attempts(&self) -> &[Attempt] {
        &self.0.attempts
    }

    /// The tokens of all [`attempts`](Error::attempts) together, or those of the failed request.
    pub fn usage(&self) -> Usage {
        self.counted_usage().unwrap_or_default()
    }

    /// The same, if the provider counted any.
    pub(crate) fn counted_usage(&self) -> Option<Usage> {
        match self.0.attempts.is_empty() {
            true => self.0.usage,
            false => Some(total_usage(&self.0.attempts)),
        }
    }

    /// The cost of all [`attempts`](Error::attempts) together, if the model has prices.
    pub fn cost(&self) -> Option<f64> {
        match self.0.attempts.is_empty() {
            true => self.0.cost,
            false => total_cost(&self.0.attempts),
        }
    }

    /// The conversation of a [tool loop](crate::ToolLoop) that failed. It is valid for every provider: a call that did not end has the result that it was cancelled.
    /// [`ToolLoop::resume`](crate::ToolLoop::resume) continues it.
    ///
    /// ```
    /// # #[derive(Debug)] enum Action { Depth }
    /// # impl typed_prompt::Tools for Action {
    /// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
    /// #     fn parse(_: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth) }
    /// # }
    /// use typed_prompt::{Llm, Message, Messages, MockLlm, Reply, ToolCall};
    ///
    /// let llm = MockLlm::new([Reply::calls([ToolCall::new("c1", "depth", "{}")])]);
    /// let ask = Messages::from([Message::user("How deep is it?")]);
    /// let asked = llm.with_tools(&ask).try_answer(async |_: Action| "81 m".parse::<u32>());
    /// let error = pollster::block_on(asked).unwrap_err();
    /// let messages = error.messages().unwrap();
    /// assert_eq!(messages[2].text(), "error: the tool `depth` failed: invalid digit found in string");
    /// ```
    pub fn messages(&self) -> Option<&Messages> {
        self.0.messages.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        f.write_str(&inner.message)?;
        if !f.alternate() {
            // A message of several lines ends with a drawing or a difference; the help is a line of its own.
            let between = if inner.message.contains('\n') {
                "\n"
            } else {
                "; "
            };
            let mut lines = inner.help.iter().chain(&inner.note);
            return lines.try_for_each(|line| write!(f, "{between}{line}"));
        }
        if let Some(drawing) = &inner.drawing {
            write!(f, "\n{drawing}")?;
        }
        if let Some((name, fingerprint)) = inner.prompt {
            write!(f, "\n  = prompt: {name} ({fingerprint})")?;
        }
        if let Some(model) = &inner.model {
            write!(f, "\n  = model: {model}")?;
        }
        if let Some(help) = &inner.help {
            write!(f, "\n  = help: {help}")?;
        }
        if let Some(note) = &inner.note {
            write!(f, "\n  = note: {note}")?;
        }
        for other in &inner.others {
            write!(f, "\n\n{other:#}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#}")
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0
            .source
            .as_ref()
            .map(|source| &**source as &(dyn StdError + 'static))
    }
}

/// The byte at serde_json's line and column (both from 1, the column in bytes).
pub(crate) fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    floor_char_boundary(text, before + column.saturating_sub(1))
}
