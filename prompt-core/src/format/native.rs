//! The chat formats of model families, equal to the models' own templates.
//!
//! A family is a constant: [`NativeFormat`] with the facts of its family, a style that writes it, and the models' names.
//! Families of one style share its code and differ in data.

pub(super) mod chat;
mod deepseek;
mod glm;
mod granite;
mod harmony;
mod json;
mod kimi;
mod lfm;
mod llama;
mod mistral;
pub(super) mod options;
mod python;
mod qwen;
mod reader;
mod smollm;
mod turns;
mod typescript;
pub(super) mod writer;

pub use chat::Chat;
pub use options::Date;
pub use reader::ParsedTurn;

use crate::format::{ChatFormat, Family, FormatOptions, check};
use crate::guard::{self, Prefilter, Tokens};
use crate::syntax::family::Template;
use crate::{AnnotatedText, Messages, Result, Role, Text};
use options::Options;
use writer::FormatWriter;

/// Writes a conversation by the function that the family's table names.
fn write(chat: &Chat<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    match out.family.template {
        Template::Turns => turns::write(chat, out),
        Template::DeepSeek => deepseek::write(chat, out),
        Template::DeepSeekV3_1 => deepseek::write_v3_1(chat, out),
        Template::Glm4 => glm::write_glm4(chat, out),
        Template::Glm4_5 => glm::write_glm4_5(chat, out),
        Template::Granite => granite::write(chat, out),
        Template::Harmony => harmony::write(chat, out),
        Template::Kimi => kimi::write(chat, out),
        Template::Lfm => lfm::write(chat, out),
        Template::Llama(date) => llama::write(chat, date, out),
        Template::Mistral => mistral::write(chat, out),
        Template::Qwen => qwen::write(chat, out),
        Template::SmolLm3 => smollm::write(chat, out),
    }
}

/// The chat format of a family of models, equal to the byte to the template that the models ship with.
///
/// What that template would drop silently is an error, unless [`lenient`](NativeFormat::lenient) asks for it.
/// Switches that a family does not have, have no effect.
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
pub struct NativeFormat {
    family: &'static Family,
    /// Made at compile time for the families of this crate.
    prefilter: Option<&'static Prefilter>,
    /// The family's switches, where one was touched.
    options: Option<Box<Options>>,
    open: bool,
}

impl NativeFormat {
    /// The chat format of a family: a table, which can be your own.
    ///
    /// ```
    /// use prompt_core::format::{Delimiters, Family, NativeFormat, Turns};
    /// use prompt_core::{Message, Messages, Prompt};
    ///
    /// const MINE: NativeFormat = NativeFormat::new(&Family {
    ///     name: "mine",
    ///     title: "Mine",
    ///     eos: "\n",
    ///     tokens: &["U: ", "A: "],
    ///     history: true,
    ///     turns: Turns {
    ///         user: Delimiters::new("U: ", "\n"),
    ///         assistant: Delimiters::new("A: ", "\n"),
    ///         ..Turns::NONE
    ///     },
    ///     ..Family::BARE
    /// });
    /// let ask = Messages::from([Message::user("Hi"), Message::assistant("Hello"), Message::user("Bye")]);
    /// assert_eq!(ask.to_text(MINE)?, "U: Hi\nA: Hello\nU: Bye\nA:");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub const fn new(family: &'static Family) -> NativeFormat {
        NativeFormat {
            family,
            prefilter: None,
            options: None,
            open: false,
        }
    }

    pub(super) const fn with_prefilter(
        family: &'static Family,
        prefilter: &'static Prefilter,
    ) -> NativeFormat {
        NativeFormat {
            family,
            prefilter: Some(prefilter),
            options: None,
            open: false,
        }
    }

    /// The token at the start, where it is to be left out.
    fn skipped(&self, wrapping: &FormatOptions) -> Option<&'static str> {
        (!wrapping.bos && !self.family.bos.is_empty()).then_some(self.family.bos)
    }

    /// Wraps a conversation as chat APIs send it, also with roles that [`Messages`] do not know.
    ///
    /// # Errors
    /// What the family does not support, and control tokens where they are rejected.
    ///
    /// ```
    /// use prompt_core::format::{self, Chat, FormatOptions};
    /// use prompt_core::Json;
    ///
    /// let chat = Chat::from_json(&Json::parse(r#"[{"role": "developer", "content": "Be brief."}]"#)?, None)?;
    /// let text = format::GPT_OSS.wrap_chat(&chat, FormatOptions::default())?.into_string();
    /// assert!(text.contains("<|start|>developer<|message|># Instructions\n\nBe brief.\n\n<|end|>"));
    /// assert!(format::QWEN3.wrap_chat(&chat, FormatOptions::default()).is_err());
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn wrap_chat(&self, chat: &Chat<'_>, wrapping: FormatOptions) -> Result<AnnotatedText> {
        let mut out = AnnotatedText::new(wrapping);
        self.write_chat(chat, &mut out)?;
        self.apply_guard(out)
    }

    fn write_chat(&self, chat: &Chat<'_>, wrapped: &mut AnnotatedText) -> Result<()> {
        let Some(last) = chat.last() else {
            return Err(check::no_message(self.family));
        };
        let Some(label) = wrapped.options().label.clone() else {
            return self.write_with(chat, false, wrapped);
        };
        if last.is(Role::Assistant) {
            return Err(check::labelled_twice(chat.len() - 1));
        }
        let stop = self.stop(&label);
        let mut text = Text::new();
        text.push_data(Some("label"), stop.unwrap_or(&label));
        self.write_with(&chat.labelled(text), true, wrapped)?;
        if stop.is_some() {
            wrapped.structure(self.family.eos);
        }
        Ok(())
    }

    fn write_with(
        &self,
        chat: &Chat<'_>,
        is_labelled: bool,
        wrapped: &mut AnnotatedText,
    ) -> Result<()> {
        let turns = chat.len();
        wrapped.reserve(chat.size(), turns);
        let mut out = FormatWriter::new(self, turns, is_labelled, wrapped);
        if out.is_strict() {
            check::end(chat, &out)?;
        }
        write(chat, &mut out)?;
        check::continued(chat, &out)?;
        if out.is_strict() {
            check::complete(chat, &out)?;
        }
        if !out.options.eos {
            out.cut_end(self.family.eos);
        }
        Ok(())
    }

    /// The label before the token at its end, which is the format's own.
    fn stop<'l>(&self, label: &'l str) -> Option<&'l str> {
        label
            .strip_suffix(self.family.eos)
            .filter(|_| !self.family.eos.is_empty())
    }
}

impl ChatFormat for NativeFormat {
    fn family(&self) -> &'static Family {
        self.family
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.family.aliases
    }

    fn reasoning_delimiters(&self) -> Option<(&'static str, &'static str)> {
        let (open, close) = self.family.turns.reasoning?;
        Some((open.trim(), close.trim()))
    }

    fn write(&self, messages: &Messages, out: &mut AnnotatedText) -> Result<()> {
        if !self.family.history {
            let mut roles = messages.iter().map(|message| message.role).enumerate();
            roles.try_for_each(|message| check::check_history(self.family, message))?;
        }
        self.write_chat(&Chat::from(messages), out)
    }

    fn apply_guard(&self, out: AnnotatedText) -> Result<AnnotatedText> {
        let tokens = Tokens::of(self.family);
        match self.prefilter {
            Some(prefilter) => guard::apply_with(out, tokens, prefilter, self.family.title),
            None => guard::apply(out, tokens, self.family.title),
        }
    }
}

impl std::fmt::Debug for NativeFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NativeFormat({})", self.family.name)
    }
}
