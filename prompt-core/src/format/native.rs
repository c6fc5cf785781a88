//! The chat formats of model families, equal to the models' own chat templates, and their options.
//!
//! A format is a constant: [`NativeFormat`] with the table of its family, whose `ConversationTemplate` selects the function that
//! writes it. Families with the same function differ in data.

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
mod phi;
pub(crate) mod python;
mod qwen;
mod reader;
mod smollm;
mod turns;
mod typescript;
pub(super) mod writer;

pub use chat::ChatInput;
pub(super) use llama::SEPARATE;
pub use reader::ParsedTurn;

use std::time::{SystemTime, UNIX_EPOCH};

use crate::format::{ChatFormat, Family, FormatOptions, check};
use crate::guard::{self, ControlTokens, Prefilter};
use crate::{AnnotatedText, Json, Messages, Result, Role, Text};
use prompt_family::ConversationTemplate;
use writer::FormatWriter;

/// Writes a conversation by the function that the family's table names.
fn write(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    match out.family.template {
        ConversationTemplate::Turns => turns::write(chat, out),
        ConversationTemplate::DeepSeek => deepseek::write(chat, out),
        ConversationTemplate::DeepSeekV3_1 => deepseek::write_v3_1(chat, out),
        ConversationTemplate::Glm4 => glm::write_glm4(chat, out),
        ConversationTemplate::Glm4_5 => glm::write_glm4_5(chat, out),
        ConversationTemplate::Granite => granite::write(chat, out),
        ConversationTemplate::Harmony => harmony::write(chat, out),
        ConversationTemplate::Kimi => kimi::write(chat, out),
        ConversationTemplate::Lfm => lfm::write(chat, out),
        ConversationTemplate::Llama(date) => llama::write(chat, date, out),
        ConversationTemplate::Mistral => mistral::write(chat, out),
        ConversationTemplate::Phi4Mini => phi::write(chat, out),
        ConversationTemplate::Qwen => qwen::write(chat, out),
        ConversationTemplate::SmolLm3 => smollm::write(chat, out),
    }
}

/// The chat format of a family of models, byte for byte equal to the chat template that the models ship with.
///
/// Content that the chat template would drop silently is an error, unless the format is [`lenient`](NativeFormat::lenient).
/// Switches that a family does not have, have no effect.
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
#[derive(Clone)]
pub struct NativeFormat {
    family: &'static Family,
    /// Made at compile time for the families of this crate.
    prefilter: Option<&'static Prefilter>,
    /// The family's switches, where one was touched.
    options: Option<Box<TextOptions>>,
    open: bool,
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
            options: None,
            open: false,
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
    /// Content that the family does not support, and control tokens with `Guard::Reject`.
    ///
    /// ```
    /// use typed_prompt::{format::{self, ChatInput, FormatOptions}, message::Json};
    ///
    /// let chat = ChatInput::from_json(&Json::parse(r#"[{"role": "developer", "content": "Be brief."}]"#)?, None)?;
    /// let text = format::GPT_OSS.wrap_chat(&chat, FormatOptions::default())?.into_string();
    /// assert!(text.contains("<|start|>developer<|message|># Instructions\n\nBe brief.\n\n<|end|>"));
    /// assert!(format::QWEN3.wrap_chat(&chat, FormatOptions::default()).is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn wrap_chat(
        &self,
        chat: &ChatInput<'_>,
        wrapping: FormatOptions,
    ) -> Result<AnnotatedText> {
        let mut out = AnnotatedText::new(wrapping);
        self.write_chat(chat, &mut out)?;
        self.apply_guard(out)
    }

    fn write_chat(&self, chat: &ChatInput<'_>, wrapped: &mut AnnotatedText) -> Result<()> {
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
        wrapped.forget_message(chat.len());
        if stop.is_some() {
            wrapped.structure(self.family.eos);
        }
        Ok(())
    }

    fn write_with(
        &self,
        chat: &ChatInput<'_>,
        is_labelled: bool,
        wrapped: &mut AnnotatedText,
    ) -> Result<()> {
        let turns = chat.len();
        let (bytes, spans, is_plain) = chat.summary();
        wrapped.reserve(bytes, spans);
        let mut out = FormatWriter::new(self, turns, is_labelled, wrapped);
        if out.is_strict() {
            check::end(chat, &out)?;
        }
        write(chat, &mut out)?;
        check::continued(chat, &out)?;
        if out.is_strict() {
            check::complete(chat, is_plain, &out)?;
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
        self.write_chat(&ChatInput::from(messages), out)
    }

    fn apply_guard(&self, out: AnnotatedText) -> Result<AnnotatedText> {
        let tokens = ControlTokens::of(self.family);
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

/// The options of one text.
#[derive(Clone, Debug)]
pub(crate) struct TextOptions {
    /// Whether content that the family does not support is an error. Otherwise it is handled like in the model's chat template.
    pub(crate) strict: bool,
    /// Whether the token at the end is written.
    pub(crate) eos: bool,
    /// The date in the text; today, if not given.
    pub(crate) date: Option<Date>,
    /// The date as given text.
    pub(crate) date_text: Option<String>,
    /// Whether the model reasons before it answers.
    pub(crate) thinking: Option<bool>,
    /// The reasoning effort.
    pub(crate) effort: Option<String>,
    /// The identity of the model in the system message.
    pub(crate) identity: Option<String>,
    /// Tools that the model's maker built in.
    pub(crate) builtin_tools: Option<Vec<String>>,
    /// Whether tools are described in the first user message, or in the system turn.
    pub(crate) tools_in_user: bool,
    /// Whether each tool call is a message of its own.
    pub(crate) separate_calls: bool,
    /// Tools that are called with Python code.
    pub(crate) python_tools: Vec<Json>,
    /// Passages to answer from.
    pub(crate) documents: Vec<Json>,
    /// Requirements of the answer, such as citations or a length.
    pub(crate) controls: Option<Json>,
}

/// The options of a format whose options were not changed.
pub(crate) static DEFAULTS: TextOptions = TextOptions::DEFAULT;

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

impl TextOptions {
    /// The defaults.
    pub(crate) const DEFAULT: TextOptions = TextOptions {
        strict: true,
        eos: true,
        date: None,
        date_text: None,
        thinking: None,
        effort: None,
        identity: None,
        builtin_tools: None,
        tools_in_user: true,
        separate_calls: false,
        python_tools: Vec::new(),
        documents: Vec::new(),
        controls: None,
    };

    pub(crate) fn day(&self) -> Date {
        self.date.unwrap_or_else(Date::today)
    }
}

impl NativeFormat {
    /// The switches, to be changed.
    fn switch(&mut self) -> &mut TextOptions {
        let default = || Box::new(TextOptions::DEFAULT);
        self.options.get_or_insert_with(default)
    }

    /// The behaviour of the model's chat template, also where that drops something silently.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format};
    ///
    /// // Mistral's template puts the system message before the last user message, and nowhere if that is not last.
    /// let ask = Messages::from([Message::system("Rhyme."), Message::user("Hi"), Message::assistant("Fly")]);
    /// let format = format::MISTRAL_V3.lenient();
    /// assert_eq!(ask.to_text(format)?, "<s>[INST] Hi[/INST] Fly</s>");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn lenient(mut self) -> NativeFormat {
        self.switch().strict = false;
        self
    }

    /// Writes the text of a message with tool calls, and each call followed by its result, as messages of their own: Llama 3.1 and 3.2,
    /// whose template accepts one call and no text in such a message. Results belong to calls by id, or by order if none has an id.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, ToolCall, format};
    ///
    /// let calls = ["Brest", "Sète"].map(|port| ToolCall::new(port, "tide", format!(r#"{{"port": "{port}"}}"#)));
    /// let chat = Messages::from([
    ///     Message::user("High water?"),
    ///     Message::assistant("I will look.").with_tool_calls(calls.to_vec()),
    ///     Message::tool("Brest", "6:12"),
    ///     Message::tool("Sète", "7:40"),
    /// ]);
    /// assert!(chat.to_text(format::LLAMA3_1).is_err());
    /// assert!(chat.to_text(format::LLAMA3_1.separate_calls())?.contains("\"Brest\"}}<|eot_id|>"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn separate_calls(mut self) -> NativeFormat {
        self.switch().separate_calls = true;
        self
    }

    /// Leaves the last message open: the model continues it.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("As JSON."), Message::assistant("{\"depth\":")]);
    /// assert!(ask.to_text(format::CHATML.continued())?.ends_with("<|im_start|>assistant\n{\"depth\":"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn continued(mut self) -> NativeFormat {
        self.open = true;
        self
    }

    /// With or without the token that ends a text, where the family writes one.
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, Message, Messages, Prompt, format};
    ///
    /// let row = Messages::from([Message::user("Hi"), Message::assistant("Hello")]);
    /// assert_eq!(row.to_text(format::MISTRAL_V7.eos(false).generation_prompt(false))?, "<s>[INST] Hi[/INST] Hello");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn eos(mut self, eos: bool) -> NativeFormat {
        self.switch().eos = eos;
        self
    }

    /// Whether the model reasons before it answers: Qwen 3, DeepSeek V3.1, GLM 4.5, SmolLM 3.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert!(ask.to_text(format::DEEPSEEK_V3_1.thinking(true))?.ends_with("<｜Assistant｜><think>"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn thinking(mut self, thinking: bool) -> NativeFormat {
        self.switch().thinking = Some(thinking);
        self
    }

    /// The reasoning effort, `low`, `medium` or `high`: gpt-oss.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert!(ask.to_text(format::GPT_OSS.effort("high"))?.contains("\n\nReasoning: high\n\n"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn effort(mut self, effort: impl Into<String>) -> NativeFormat {
        self.switch().effort = Some(effort.into());
        self
    }

    /// The identity of the model in the system message: gpt-oss.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format};
    ///
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::GPT_OSS.identity("You are Pilot."))?;
    /// assert!(text.starts_with("<|start|>system<|message|>You are Pilot.\n"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn identity(mut self, identity: impl Into<String>) -> NativeFormat {
        self.switch().identity = Some(identity.into());
        self
    }

    /// The date in the text, instead of today: Llama 3.1 and 3.2, Granite, gpt-oss, SmolLM 3.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format::{self, Date}};
    ///
    /// let day = Date { year: 2025, month: 7, day: 26 };
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::LLAMA3_2.date(day))?;
    /// assert!(text.contains("Today Date: 26 Jul 2025\n"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn date(mut self, date: Date) -> NativeFormat {
        self.switch().date = Some(date);
        self
    }

    /// The date as text of your own: Llama 3.1 and 3.2.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format};
    ///
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::LLAMA3_1.date_text("May 1"))?;
    /// assert!(text.contains("Today Date: May 1\n"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn date_text(mut self, text: impl Into<String>) -> NativeFormat {
        self.switch().date_text = Some(text.into());
        self
    }

    /// Describes tools in the first user message, as by default, or in the system turn: Llama 3.1, 3.2 and 4.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, Tool, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]).with_tool(Tool::new("add"));
    /// let text = ask.to_text(format::LLAMA3_1.tools_in_user(false))?;
    /// assert!(text.contains("You have access to the following functions."));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn tools_in_user(mut self, in_user: bool) -> NativeFormat {
        self.switch().tools_in_user = in_user;
        self
    }

    /// Turns on tools that the model's maker built in: Llama 3.1 (`brave_search`, `code_interpreter`, …), gpt-oss
    /// (`browser`, `python`).
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert!(ask.to_text(format::GPT_OSS.builtin_tools(["python"]))?.contains("## python\n"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn builtin_tools<T: Into<String>>(
        mut self,
        tools: impl IntoIterator<Item = T>,
    ) -> NativeFormat {
        self.switch().builtin_tools = Some(tools.into_iter().map(Into::into).collect());
        self
    }

    /// Describes tools that the model calls with Python code: SmolLM 3.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format, message::Json};
    ///
    /// let tool = Json::parse("\"def tide(harbour): …\"")?;
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::SMOLLM3.python_tools([tool]))?;
    /// assert!(text.contains("<tools>\ndef tide(harbour): …\n</tools>"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn python_tools(mut self, tools: impl IntoIterator<Item = Json>) -> NativeFormat {
        self.switch().python_tools = tools.into_iter().collect();
        self
    }

    /// Gives passages to answer from, as objects with a `text`: Granite.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format, message::Json};
    ///
    /// let passage = Json::parse(r#"{"text": "High water is at six."}"#)?;
    /// let text = Messages::from([Message::user("When?")]).to_text(format::GRANITE3_1.documents([passage]))?;
    /// assert!(text.contains("Document 0\nHigh water is at six.<|end_of_text|>"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn documents(mut self, documents: impl IntoIterator<Item = Json>) -> NativeFormat {
        self.switch().documents = documents.into_iter().collect();
        self
    }

    /// Asks for more than an answer, such as citations or a length: Granite.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format, message::Json};
    ///
    /// let controls = Json::parse(r#"{"length": "short"}"#)?;
    /// let text = Messages::from([Message::user("When?")]).to_text(format::GRANITE3_1.controls(controls))?;
    /// assert!(text.ends_with("<|start_of_role|>assistant {\"length\": \"short\"}<|end_of_role|>"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn controls(mut self, controls: impl Into<Json>) -> NativeFormat {
        self.switch().controls = Some(controls.into());
        self
    }
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
