//! Chat formats: how each family of models writes a conversation as one text.

mod alpaca;
mod chatml;
mod llama2;
mod llama3;
mod plain;
pub(crate) mod turns;

use std::fmt;

pub use crate::syntax::Family;
pub use alpaca::{ALPACA, Alpaca};
pub use chatml::CHATML;
pub use llama2::LLAMA2;
pub use llama3::LLAMA3;
pub use plain::{PLAIN, Plain};
pub use turns::{Mark, Order, System, Turns};

use crate::syntax::suggest;
use crate::{
    Draft, Error, ErrorKind, Guard, Message, Messages, Prompt, Result, Role, Wrapped, guard,
};

/// The formats that this crate knows, by the name of their family.
///
/// ```
/// use prompt_core::format;
///
/// let names: Vec<_> = format::FORMATS.iter().map(|format| format.family().name).collect();
/// assert_eq!(names, ["chatml", "llama3", "llama2", "alpaca", "plain"]);
/// ```
pub const FORMATS: &[&dyn ChatFormat] = &[&CHATML, &LLAMA3, &LLAMA2, &ALPACA, &PLAIN];

/// The format with this name: of the family, or one of the names listed with it.
///
/// # Errors
/// A name that is not listed, with the nearest that is: a format is never guessed.
///
/// ```
/// use prompt_core::format;
///
/// assert_eq!(format::named("llama3")?.family().name, "llama3");
/// assert!(format::named("llama99").is_err());
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub fn named(name: &str) -> Result<&'static dyn ChatFormat> {
    let known = |format: &&&'static dyn ChatFormat| names(**format).any(|known| known == name);
    FORMATS.iter().find(known).copied().ok_or_else(|| {
        let known: Vec<_> = FORMATS.iter().flat_map(|format| names(*format)).collect();
        unknown("format", name, &known)
    })
}

fn names(format: &'static dyn ChatFormat) -> impl Iterator<Item = &'static str> {
    std::iter::once(format.family().name).chain(format.also_named().iter().copied())
}

/// A name that stands in no table.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> Error {
    let error = Error::new(
        ErrorKind::UnknownFormat,
        format!("there is no {what} `{name}`"),
    );
    error.with_help(match suggest::closest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of `{}`", known.join("`, `")),
    })
}

/// How a text is to be wrapped.
///
/// ```
/// use prompt_core::format::Wrapping;
///
/// let wrapping = Wrapping { bos: false, ..Wrapping::default() };
/// assert!(wrapping.generation_prompt);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrapping {
    /// What happens to control tokens in data.
    pub guard: Guard,
    /// Whether the token that begins a text is written; off where the tokenizer adds it.
    pub bos: bool,
    /// Whether the text ends where the model's answer begins.
    pub generation_prompt: bool,
    /// The answer, for training.
    pub label: Option<String>,
}

impl Default for Wrapping {
    fn default() -> Wrapping {
        Wrapping {
            guard: Guard::default(),
            bos: true,
            generation_prompt: true,
            label: None,
        }
    }
}

/// A family's way to write a conversation as one text.
///
/// ```
/// use prompt_core::{ChatFormat, Message, Messages, Prompt, format};
///
/// let ask = Messages::from([Message::user("2+2?")]);
/// assert_eq!(ask.to_text(format::LLAMA2)?, "<s>[INST] 2+2? [/INST]");
/// assert_eq!(ask.to_text(format::LLAMA2.bos(false))?, "[INST] 2+2? [/INST]");
/// assert_eq!(ask.to_text(format::LLAMA2.label("4 </s>"))?, "<s>[INST] 2+2? [/INST] 4 </s>");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub trait ChatFormat {
    /// What is known about the family without a conversation.
    fn family(&self) -> &'static Family;

    /// Writes a conversation.
    ///
    /// # Errors
    /// What the family cannot say: nothing is dropped.
    fn write(&self, messages: &Messages, out: &mut Wrapped) -> Result<()>;

    /// Writes a prompt whose extra fields are still apart: for layouts with a place for these.
    ///
    /// # Errors
    /// As [`write`](ChatFormat::write).
    fn write_draft(&self, draft: Draft, out: &mut Wrapped) -> Result<()> {
        self.write(&draft.fold(), out)
    }

    /// Other names under which [`named`] finds it, such as those of models.
    fn also_named(&self) -> &'static [&'static str] {
        &[]
    }

    /// The control tokens that data may not hold.
    fn tokens(&self) -> Vec<&str> {
        self.family().tokens.to_vec()
    }

    /// How it wraps when it is not told otherwise.
    fn wrapping(&self) -> Wrapping {
        Wrapping::default()
    }

    /// Wraps a prompt, and guards what is data in it.
    ///
    /// # Errors
    /// What could not be written into the prompt, what the family cannot say, and control tokens where they are rejected.
    fn wrap(&self, draft: Draft) -> Result<Wrapped> {
        draft.messages.check()?;
        let mut out = Wrapped::new(self.wrapping());
        self.write_draft(draft, &mut out)?;
        guard::apply(out, &self.tokens(), self.family().title)
    }

    /// The text of a prompt.
    ///
    /// # Errors
    /// As [`wrap`](ChatFormat::wrap).
    fn text<P: Prompt + ?Sized>(&self, prompt: &P) -> Result<String>
    where
        Self: Sized,
    {
        let wrapped = self
            .wrap(Draft::of(prompt))
            .map_err(|error| error.of_prompt(P::INFO.name, P::INFO.fingerprint))?;
        Ok(wrapped.into_string())
    }

    /// The same format with another guard.
    fn guard(self, guard: Guard) -> Adjusted<Self>
    where
        Self: Sized,
    {
        Adjusted::new(self, |wrapping| wrapping.guard = guard)
    }

    /// The same format with or without the token that begins a text.
    fn bos(self, bos: bool) -> Adjusted<Self>
    where
        Self: Sized,
    {
        Adjusted::new(self, |wrapping| wrapping.bos = bos)
    }

    /// The same format, ending where the model's answer begins, or after the last message.
    fn generation_prompt(self, generation_prompt: bool) -> Adjusted<Self>
    where
        Self: Sized,
    {
        Adjusted::new(self, |wrapping| {
            wrapping.generation_prompt = generation_prompt;
        })
    }

    /// The same format with the answer at the end, for training. An empty label adds nothing.
    fn label(self, label: impl Into<String>) -> Adjusted<Self>
    where
        Self: Sized,
    {
        let label = label.into();
        Adjusted::new(self, |wrapping| {
            wrapping.label = Some(label).filter(|label| !label.is_empty());
        })
    }
}

macro_rules! forward {
    ($format:ident) => {
        fn family(&self) -> &'static Family {
            self.$format().family()
        }

        fn write(&self, messages: &Messages, out: &mut Wrapped) -> Result<()> {
            self.$format().write(messages, out)
        }

        fn write_draft(&self, draft: Draft, out: &mut Wrapped) -> Result<()> {
            self.$format().write_draft(draft, out)
        }

        fn also_named(&self) -> &'static [&'static str] {
            self.$format().also_named()
        }

        fn tokens(&self) -> Vec<&str> {
            self.$format().tokens()
        }
    };
}

impl<F: ChatFormat + ?Sized> ChatFormat for &F {
    forward!(inner);

    fn wrapping(&self) -> Wrapping {
        (**self).wrapping()
    }
}

/// Lets `forward!` name what it forwards to.
trait Inner {
    type Format: ChatFormat + ?Sized;
    fn inner(&self) -> &Self::Format;
}

impl<F: ChatFormat + ?Sized> Inner for &F {
    type Format = F;

    fn inner(&self) -> &F {
        self
    }
}

impl<F: ChatFormat> Inner for Adjusted<F> {
    type Format = F;

    fn inner(&self) -> &F {
        &self.format
    }
}

/// A format that wraps otherwise than it would by itself: see [`ChatFormat::guard`] and its neighbours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adjusted<F> {
    format: F,
    wrapping: Wrapping,
}

impl<F: ChatFormat> Adjusted<F> {
    fn new(format: F, change: impl FnOnce(&mut Wrapping)) -> Adjusted<F> {
        let mut wrapping = format.wrapping();
        change(&mut wrapping);
        Adjusted { format, wrapping }
    }
}

impl<F: ChatFormat> ChatFormat for Adjusted<F> {
    forward!(inner);

    fn wrapping(&self) -> Wrapping {
        self.wrapping.clone()
    }
}

impl fmt::Debug for dyn ChatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChatFormat({})", self.family().name)
    }
}

/// An error for what a family cannot say. `message` is its index and itself, `what` follows "message 2 (user)".
pub(crate) fn unsupported(
    family: &Family,
    message: (usize, &Message),
    what: &str,
    help: &str,
) -> Error {
    let (index, message) = message;
    let text = format!(
        "message {index} ({}) {what}, which {} cannot say",
        message.role, family.title
    );
    Error::new(ErrorKind::Unsupported, text)
        .with_help(help)
        .at_message(index, message.role)
}

/// Refuses what the facts about the family refuse, and a label or an answer where none can stand.
pub(crate) fn check(family: &Family, messages: &Messages, wrapping: &Wrapping) -> Result<()> {
    check_facts(family, messages)?;
    check_end(messages, wrapping)
}

/// Refuses what the facts about the family refuse.
pub(crate) fn check_facts(family: &Family, messages: &Messages) -> Result<()> {
    if let Some(tool) = messages.tools().first().filter(|_| !family.tools) {
        let text = format!(
            "the tool `{}` is offered, which {} cannot say",
            tool.name(),
            family.title
        );
        let help = "use a chat API, which takes tools beside the messages, or a layout with tools";
        return Err(Error::new(ErrorKind::Unsupported, text).with_help(help));
    }
    for (index, message) in messages.iter().enumerate() {
        if !message.is_text() && !family.media {
            let what = "holds an image, sound, film or file";
            return Err(unsupported(
                family,
                (index, message),
                what,
                "use a chat API",
            ));
        }
        if !message.tool_calls.is_empty() && !family.tools {
            return Err(unsupported(
                family,
                (index, message),
                "calls tools",
                "use a chat API, or leave the calls out",
            ));
        }
        if message.role == Role::System && !family.system {
            let help = "put the instructions into the user message";
            return Err(unsupported(
                family,
                (index, message),
                "holds instructions",
                help,
            ));
        }
        if matches!(message.role, Role::Assistant | Role::Tool) && !family.history {
            let help = "use a chat format such as `chatml`, or send one question without history";
            return Err(unsupported(
                family,
                (index, message),
                "is part of a conversation",
                help,
            ));
        }
    }
    Ok(())
}

/// Refuses a second answer after the assistant's.
fn check_end(messages: &Messages, wrapping: &Wrapping) -> Result<()> {
    let Some(last) = messages.last().filter(|last| last.role == Role::Assistant) else {
        return Ok(());
    };
    let index = messages.len() - 1;
    if wrapping.label.is_some() {
        let text = format!("message {index} is the assistant's already, so no label can follow");
        let help = "leave the label out, or end with the user's message";
        return Err(Error::new(ErrorKind::Label, text)
            .with_help(help)
            .at_message(index, last.role));
    }
    if wrapping.generation_prompt {
        let text = format!("message {index} is the assistant's, so there is nothing to answer");
        let help = "end with a user message, or turn `.generation_prompt(false)`";
        return Err(Error::new(ErrorKind::Unsupported, text)
            .with_help(help)
            .at_message(index, last.role));
    }
    Ok(())
}
