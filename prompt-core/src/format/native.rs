//! The chat formats of model families, equal to the models' own templates.
//!
//! A family is a constant: [`Native`] with the facts of its family, a style that writes it, and the models' names.
//! Families of one style share its code and differ in data.

mod chat;
mod check;
mod content;
mod deepseek;
pub(crate) mod families;
mod gemma;
mod glm;
mod granite;
mod harmony;
mod hermes;
mod json;
mod kimi;
mod lfm;
mod llama;
mod marks;
mod mistral;
mod options;
mod out;
mod plain;
mod python;
mod read;
mod reader;
mod smol;
mod switches;
mod typescript;
mod words;

pub use chat::Chat;
pub use options::Date;
pub use read::Spoken;

use crate::format::{ChatFormat, Family, Wrapping, labelled_twice, no_message};
use crate::guard::{self, Prefilter};
use crate::{Messages, Result, Text, Wrapped};
use chat::Turn;
use options::{End, Options};
use out::Out;
use read::Reading;

/// How a family writes a conversation.
pub(crate) trait Style: Sync {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()>;

    /// How such a text is read back.
    fn reading(&self) -> Reading;

    /// What a model writes around its reasoning, without the white space.
    fn reasoning_marks(&self) -> Option<(&'static str, &'static str)> {
        let (open, close) = self.reading().thought?;
        Some((open.trim(), close.trim()))
    }
}

/// The chat format of a family of models, equal to the byte to the template that the models ship with.
///
/// What that template would drop without a word is an error, unless [`as_model`](Native::as_model) asks for it.
/// Switches that a family does not know have no effect on it.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, format};
///
/// let ask = Messages::from([Message::user("17 * 3?")]);
/// assert_eq!(
///     ask.to_text(format::QWEN3.thinking(false))?,
///     "<|im_start|>user\n17 * 3?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
/// );
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Native {
    family: &'static Family,
    style: &'static dyn Style,
    /// The family's own name where it is not an identifier, and its models.
    names: &'static [&'static str],
    bos: &'static str,
    eos: &'static str,
    prefilter: &'static Prefilter,
    /// The family's switches, where one was touched.
    options: Option<Box<Options>>,
    open: bool,
}

impl Native {
    pub(crate) const fn new(
        family: &'static Family,
        style: &'static dyn Style,
        (bos, eos): (&'static str, &'static str),
        names: &'static [&'static str],
        prefilter: &'static Prefilter,
    ) -> Native {
        Native {
            family,
            style,
            names,
            bos,
            eos,
            prefilter,
            options: None,
            open: false,
        }
    }

    /// The token at the start, where it is to be left out.
    fn skipped(&self, wrapping: &Wrapping) -> Option<&'static str> {
        (!wrapping.bos && !self.bos.is_empty()).then_some(self.bos)
    }

    /// Wraps a conversation as chat APIs send it, also with roles that [`Messages`] do not know.
    ///
    /// # Errors
    /// What the family cannot say, and control tokens where they are rejected.
    ///
    /// ```
    /// use prompt_core::format::{self, Chat, Wrapping};
    /// use prompt_core::Json;
    ///
    /// let chat = Chat::from_json(&Json::parse(r#"[{"role": "developer", "content": "Be brief."}]"#)?, None)?;
    /// let text = format::GPT_OSS.wrap_chat(&chat, Wrapping::default())?.into_string();
    /// assert!(text.contains("<|start|>developer<|message|># Instructions\n\nBe brief.\n\n<|end|>"));
    /// assert!(format::QWEN3.wrap_chat(&chat, Wrapping::default()).is_err());
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn wrap_chat(&self, chat: &Chat<'_>, wrapping: Wrapping) -> Result<Wrapped> {
        let mut out = Wrapped::new(wrapping);
        self.write_chat(chat, &mut out)?;
        self.apply_guard(out)
    }

    fn write_chat(&self, chat: &Chat<'_>, wrapped: &mut Wrapped) -> Result<()> {
        if chat.turns.is_empty() {
            return Err(no_message(self.family));
        }
        let wrapping = wrapped.options().clone();
        let mut options = match &self.options {
            Some(options) => Options::clone(options),
            None => Options::DEFAULT,
        };
        options.skipped = self.skipped(&wrapping);
        options.end = match wrapping.generation_prompt {
            _ if self.open => End::Open,
            true => End::Answer,
            false => End::Closed,
        };
        let Some(label) = wrapping.label else {
            return self.write_with(chat, &options, wrapped);
        };
        options.end = End::Open;
        let labelled = self.labelled(chat, &label)?;
        self.write_with(&labelled, &options, wrapped)?;
        if self.stop(&label).is_some() {
            wrapped.message(None);
            wrapped.structure(self.eos);
        }
        Ok(())
    }

    fn write_with(&self, chat: &Chat<'_>, options: &Options, wrapped: &mut Wrapped) -> Result<()> {
        wrapped.reserve(chat.size(), 2 * chat.turns.len() + 2);
        let mut out = Out::new(self.family, options, chat.turns.len(), wrapped);
        if options.strict {
            check::end(chat, &out)?;
        }
        self.style.write(chat, &mut out)?;
        check::open(chat, &out)?;
        if options.strict {
            check::said(chat, &out)?;
        }
        if !options.eos {
            out.cut_end(self.eos);
        }
        Ok(())
    }

    /// The label before the token at its end, which is the format's own.
    fn stop<'l>(&self, label: &'l str) -> Option<&'l str> {
        label
            .strip_suffix(self.eos)
            .filter(|_| !self.eos.is_empty())
    }

    /// The conversation with the training label as its last message.
    fn labelled<'c>(&self, chat: &Chat<'c>, label: &str) -> Result<Chat<'c>> {
        let at = chat.turns.len() - 1;
        if chat.turns[at].is("assistant") {
            return Err(labelled_twice(at));
        }
        let mut text = Text::new();
        text.push_data(Some("label"), self.stop(label).unwrap_or(label));
        let mut chat = chat.clone();
        chat.turns.push(Turn::assistant(text));
        Ok(chat)
    }
}

impl ChatFormat for Native {
    fn family(&self) -> &'static Family {
        self.family
    }

    fn also_named(&self) -> &'static [&'static str] {
        self.names
    }

    fn reasoning_marks(&self) -> Option<(&'static str, &'static str)> {
        self.style.reasoning_marks()
    }

    fn write(&self, messages: &Messages, out: &mut Wrapped) -> Result<()> {
        self.write_chat(&Chat::from(messages), out)
    }

    fn apply_guard(&self, out: Wrapped) -> Result<Wrapped> {
        guard::apply_with(out, self.family.tokens, self.prefilter, self.family)
    }
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Native({})", self.family.name)
    }
}
