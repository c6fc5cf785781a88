//! The chat formats of model families, equal to the models' own chat templates, and their options.
//!
//! A format is a constant: [`NativeFormat`] with the table of its family, whose `ConversationTemplate` selects the function that
//! writes it. Families with the same function differ in data.

mod apertus;
pub(super) mod chat;
mod cohere;
mod deepseek;
mod deepseek_dsml;
mod gemma4;
mod glm;
mod granite;
mod harmony;
mod hunyuan;
mod jamba;
mod json;
mod kimi;
mod kimi_k3;
mod lfm;
mod llama;
mod minimax;
mod minimax_m3;
mod mistral;
mod muse;
mod nemotron;
mod olmo;
mod phi;
pub(crate) mod python;
mod qwen;
mod qwen3_5;
mod qwen_coder;
mod reader;
mod seed;
mod smollm;
mod smolvlm;
mod step;
mod tagged;
mod turns;
mod typescript;
pub(super) mod writer;

pub use chat::ChatInput;
pub(super) use llama::SEPARATE;
pub use reader::ParsedTurn;

use std::time::{SystemTime, UNIX_EPOCH};

use crate::format::{ChatFormat, Family, FormatOption, FormatOptions, check, check_options};
use crate::guard::{self, ControlTokens, Prefilter};
use crate::{AnnotatedText, Messages, Result, Role, Text};
use prompt_family::ConversationTemplate;
use writer::FormatWriter;

/// Writes a conversation by the function that the family's table names.
fn write_by_template(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    match out.family.template {
        ConversationTemplate::Turns => turns::write_chat(chat, out),
        ConversationTemplate::Apertus => apertus::write_chat(chat, out),
        ConversationTemplate::Cohere2 => cohere::write_chat(chat, out),
        ConversationTemplate::CommandR7b => cohere::write_command_r7b(chat, out),
        ConversationTemplate::DeepSeek => deepseek::write_chat(chat, out),
        ConversationTemplate::DeepSeekV3_1 => deepseek::write_v3_1(chat, out),
        ConversationTemplate::DeepSeekV3_2 => deepseek_dsml::write_chat(chat, None, out),
        ConversationTemplate::DeepSeekV4(efforts) => {
            deepseek_dsml::write_chat(chat, Some(efforts), out)
        }
        ConversationTemplate::Gemma4 => gemma4::write_chat(chat, false, out),
        ConversationTemplate::DiffusionGemma => gemma4::write_chat(chat, true, out),
        ConversationTemplate::Glm4 => glm::write_glm4(chat, out),
        ConversationTemplate::Glm4_5 => glm::write_glm4_5(chat, out),
        ConversationTemplate::Granite => granite::write_chat(chat, out),
        ConversationTemplate::Harmony => harmony::write_chat(chat, out),
        ConversationTemplate::Hy3 => hunyuan::write_chat(chat, out),
        ConversationTemplate::Jamba => jamba::write_chat(chat, out),
        ConversationTemplate::KimiK3 => kimi_k3::write_chat(chat, out),
        ConversationTemplate::Kimi(numbers) => kimi::write_chat(chat, numbers, out),
        ConversationTemplate::Granite4 => granite::write_granite4(chat, out),
        ConversationTemplate::Lfm(strings) => lfm::write_chat(chat, strings, out),
        ConversationTemplate::Llama(date) => llama::write_chat(chat, date, out),
        ConversationTemplate::MiniMaxM2 => minimax::write_chat(chat, out),
        ConversationTemplate::MiniMaxM3 => minimax_m3::write_chat(chat, out),
        ConversationTemplate::Mistral => mistral::write_chat(chat, out),
        ConversationTemplate::MistralV11 => mistral::write_v11(chat, out),
        ConversationTemplate::MistralV13 => mistral::write_v13(chat, out),
        ConversationTemplate::MuseGlimmer => muse::write_chat(chat, out),
        ConversationTemplate::Nemotron3(effort) => nemotron::write_chat(chat, effort, out),
        ConversationTemplate::Olmo3 => olmo::write_chat(chat, out),
        ConversationTemplate::Phi4Mini => phi::write_chat(chat, out),
        ConversationTemplate::Qwen => qwen::write_chat(chat, out),
        ConversationTemplate::Qwen3_5 => qwen3_5::write_chat(chat, out),
        ConversationTemplate::Qwen3Coder => qwen_coder::write_chat(chat, out),
        ConversationTemplate::Seed => seed::write_chat(chat, out),
        ConversationTemplate::SmolLm3 => smollm::write_chat(chat, out),
        ConversationTemplate::SmolVlm => smolvlm::write_chat(chat, out),
        ConversationTemplate::Step3_5 => step::write_chat(chat, out),
    }
}

/// The chat format of a family of models, byte for byte equal to the chat template that the models ship with.
///
/// Content that the chat template would drop silently is an error, unless the format is [`lenient`](NativeFormat::lenient).
/// An option that the family does not have is an error in either case.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, format};
///
/// let ask = Messages::from([Message::user("17 * 3?")]);
/// assert_eq!(
///     ask.to_text(format::QWEN3.thinking(false))?,
///     "<|im_start|>user\n17 * 3?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
/// );
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct NativeFormat {
    family: &'static Family,
    /// Made at compile time for the families of this crate.
    prefilter: Option<&'static Prefilter>,
}

impl NativeFormat {
    /// The chat format of a family: a table, which can be your own.
    ///
    /// ```
    /// use typed_prompt::format::{Delimiters, Family, NativeFormat, Turns};
    /// use typed_prompt::{Message, Messages, Prompt};
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
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub const fn new(family: &'static Family) -> NativeFormat {
        NativeFormat {
            family,
            prefilter: None,
        }
    }

    /// Returns the table of the family, also in constants: for a family that differs in a few fields.
    ///
    /// ```
    /// use typed_prompt::format::{self, Family, NativeFormat};
    ///
    /// const CHATML: &NativeFormat = &format::CHATML;
    /// static FAMILY: Family = Family { eos: "</s>", ..*CHATML.family() };
    /// const FORMAT: NativeFormat = NativeFormat::new(&FAMILY);
    /// assert_eq!(FORMAT.family().eos, "</s>");
    /// ```
    pub const fn family(&self) -> &'static Family {
        self.family
    }

    pub(super) const fn with_prefilter(
        family: &'static Family,
        prefilter: &'static Prefilter,
    ) -> NativeFormat {
        NativeFormat {
            family,
            prefilter: Some(prefilter),
        }
    }

    /// Returns a conversation as chat APIs send it as one text, also with roles that [`Messages`] do not have, with the guard applied
    /// to its data.
    ///
    /// # Errors
    /// Content or an option that the family does not support, and control tokens with `Guard::Reject`.
    ///
    /// ```
    /// use typed_prompt::{format::{self, ChatInput, FormatOptions}, message::Json};
    ///
    /// let chat = ChatInput::from_json(&Json::parse(r#"[{"role": "developer", "content": "Be brief."}]"#)?, None)?;
    /// let text = format::GPT_OSS.format_chat(&chat, &FormatOptions::new())?.into_string();
    /// assert!(text.contains("<|start|>developer<|message|># Instructions\n\nBe brief.\n\n<|end|>"));
    /// assert!(format::QWEN3.format_chat(&chat, &FormatOptions::new()).is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn format_chat(
        &self,
        chat: &ChatInput<'_>,
        options: &FormatOptions,
    ) -> Result<AnnotatedText> {
        check_options(self, options)?;
        let mut out = AnnotatedText::new();
        self.write_chat(chat, options, &mut out)?;
        self.apply_guard(out, options)
    }

    fn write_chat(
        &self,
        chat: &ChatInput<'_>,
        options: &FormatOptions,
        text: &mut AnnotatedText,
    ) -> Result<()> {
        let Some(last) = chat.last() else {
            return Err(check::no_message(self.family));
        };
        let Some(label) = &options.label else {
            return self.write_turns(chat, options, text);
        };
        if last.has_role(Role::Assistant) {
            return Err(check::labelled_twice(chat.len() - 1));
        }
        let before_stop = self.strip_stop(label);
        let mut data = Text::new();
        data.push_data(Some("label"), before_stop.unwrap_or(label));
        self.write_turns(&chat.labelled(data), options, text)?;
        text.forget_message(chat.len());
        if before_stop.is_some() {
            text.begin_generated();
            text.structure(self.family.eos);
            text.end_generated();
        }
        Ok(())
    }

    fn write_turns(
        &self,
        chat: &ChatInput<'_>,
        options: &FormatOptions,
        text: &mut AnnotatedText,
    ) -> Result<()> {
        let (bytes, spans, is_plain) = chat.summary();
        text.reserve(bytes, spans);
        let mut out = FormatWriter::new(self.family, options, chat.len(), text);
        if out.is_strict() {
            check::check_answer_follows(chat, &out)?;
        }
        write_by_template(chat, &mut out)?;
        check::check_continued_end(chat, &out)?;
        if out.is_strict() {
            check::check_all_written(chat, is_plain, &out)?;
        }
        if !options.eos {
            text.strip_suffix(self.family.eos);
        }
        Ok(())
    }

    /// The label before the token at its end, which is the format's own.
    fn strip_stop<'l>(&self, label: &'l str) -> Option<&'l str> {
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

    fn supports(&self, option: FormatOption) -> bool {
        // The writers of all families implement these two.
        matches!(option, FormatOption::Lenient | FormatOption::Continued)
            || self.family.options.contains(&option)
    }

    fn write_messages(
        &self,
        messages: &Messages,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        if !self.family.history {
            let mut roles = messages.iter().map(|message| message.role).enumerate();
            roles.try_for_each(|message| check::check_history(self.family, message))?;
        }
        self.write_chat(&ChatInput::from(messages), options, out)
    }

    fn apply_guard(&self, text: AnnotatedText, options: &FormatOptions) -> Result<AnnotatedText> {
        let tokens = ControlTokens::from_family(self.family);
        match self.prefilter {
            Some(prefilter) => {
                guard::apply_with(text, tokens, prefilter, self.family.title, options)
            }
            None => guard::apply(text, tokens, self.family.title, options),
        }
    }
}

impl std::fmt::Debug for NativeFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NativeFormat({})", self.family.name)
    }
}

/// The end of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextEnding {
    /// The start of the assistant's turn: the model answers.
    Answer,
    /// The last message, closed.
    Closed,
    /// The last message, left open: the model continues it.
    Open,
}

/// A date, for formats with a date in the system message.
///
/// ```
/// use typed_prompt::format::Date;
///
/// let day = Date { year: 2025, month: 7, day: 26 };
/// assert!(day < Date::today());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    /// The year.
    pub year: i32,
    /// The month, from 1.
    pub month: u32,
    /// The day of the month, from 1.
    pub day: u32,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Date {
    /// The current date in UTC.
    ///
    /// ```
    /// assert!(typed_prompt::format::Date::today().year > 2024);
    /// ```
    pub fn today() -> Date {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let days = since.map_or(0, |since| since.as_secs() / 86_400);
        Date::of_days(i64::try_from(days).unwrap_or(0))
    }

    /// The date this many days after the first of January 1970.
    fn of_days(days: i64) -> Date {
        // Years that begin in March put the leap day last, so that every month has a fixed start.
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let march = (5 * of_year + 2) / 153;
        let month = if march < 10 { march + 3 } else { march - 9 };
        let narrow = |number: i64| i32::try_from(number).unwrap_or(0);
        Date {
            year: narrow(year + era * 400 + i64::from(month <= 2)),
            month: narrow(month).unsigned_abs(),
            day: narrow(of_year - (153 * march + 2) / 5 + 1).unsigned_abs(),
        }
    }

    /// Returns the month's English name. A month outside 1 to 12 counts as the nearest one.
    ///
    /// ```
    /// use typed_prompt::format::Date;
    ///
    /// assert_eq!(Date { year: 2025, month: 7, day: 26 }.month_name(), "July");
    /// ```
    pub fn month_name(self) -> &'static str {
        let index = self.month.clamp(1, 12) - 1;
        MONTHS[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        let check = |days, year, month, day| {
            assert_eq!(Date::of_days(days), Date { year, month, day });
        };
        check(0, 1970, 1, 1);
        check(59, 1970, 3, 1);
        check(11_016, 2000, 2, 29);
        check(20_295, 2025, 7, 26);
        check(-1, 1969, 12, 31);
    }
}
