//! The chat formats of model families, equal to the models' own templates.
//!
//! A family is a constant: [`Native`] with the facts of its family, a style that writes it, and the models' names.
//! Families of one style share its code and differ in data.

mod chat;
mod check;
mod content;
mod deepseek;
pub(crate) mod families;
mod framed;
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
mod typescript;
mod words;

pub use chat::Chat;
pub use options::Date;
pub use read::Spoken;

use crate::format::{ChatFormat, Family, Wrapping, labelled_twice, no_message};
use crate::{Guard, Json, Messages, Result, Text, Wrapped, guard};
use chat::Turn;
use framed::Framing;
pub(crate) use framed::is_bare;
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
    framing: &'static Option<Framing>,
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
        framing: &'static Option<Framing>,
    ) -> Native {
        Native {
            family,
            style,
            names,
            bos,
            eos,
            framing,
            options: None,
            open: false,
        }
    }

    /// The switches, to be changed.
    fn switch(&mut self) -> &mut Options {
        let default = || Box::new(Options::DEFAULT);
        self.options.get_or_insert_with(default)
    }

    /// The framing, if this is to be wrapped as by default.
    fn framing(&self, wrapping: &Wrapping) -> Option<&'static Framing> {
        let is_default = self.options.is_none()
            && !self.open
            && wrapping.generation_prompt
            && wrapping.label.is_none();
        self.framing.as_ref().filter(|_| is_default)
    }

    /// The token at the start, where it is to be left out.
    fn skipped(&self, wrapping: &Wrapping) -> Option<&'static str> {
        (!wrapping.bos && !self.bos.is_empty()).then_some(self.bos)
    }

    /// The model's own behaviour, also where its template drops something without a word.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// // Mistral's template puts the system message before the last user message, and nowhere if that is not last.
    /// let ask = Messages::from([Message::system("Rhyme."), Message::user("Hi"), Message::assistant("Fly")]);
    /// let format = format::MISTRAL_V3.as_model();
    /// assert_eq!(ask.to_text(format)?, "<s>[INST] Hi[/INST] Fly</s>");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn as_model(mut self) -> Native {
        self.switch().strict = false;
        self
    }

    /// Leaves the last message open: the model goes on with it.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("As JSON."), Message::assistant("{\"depth\":")]);
    /// assert!(ask.to_text(format::CHATML.continued())?.ends_with("<|im_start|>assistant\n{\"depth\":"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn continued(mut self) -> Native {
        self.open = true;
        self
    }

    /// With or without the token that ends a text, where the family writes one.
    ///
    /// ```
    /// use prompt_core::{ChatFormat, Message, Messages, Prompt, format};
    ///
    /// let row = Messages::from([Message::user("Hi"), Message::assistant("Hello")]);
    /// assert_eq!(row.to_text(format::MISTRAL_V7.eos(false).generation_prompt(false))?, "<s>[INST] Hi[/INST] Hello");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn eos(mut self, eos: bool) -> Native {
        self.switch().eos = eos;
        self
    }

    /// Whether the model thinks before it answers: Qwen 3, DeepSeek V3.1, GLM 4.5, SmolLM 3.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert!(ask.to_text(format::DEEPSEEK_V3_1.thinking(true))?.ends_with("<｜Assistant｜><think>"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn thinking(mut self, thinking: bool) -> Native {
        self.switch().thinking = Some(thinking);
        self
    }

    /// How much the model thinks, `low`, `medium` or `high`: gpt-oss.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert!(ask.to_text(format::GPT_OSS.effort("high"))?.contains("\n\nReasoning: high\n\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn effort(mut self, effort: impl Into<String>) -> Native {
        self.switch().effort = Some(effort.into());
        self
    }

    /// Who the model is told to be: gpt-oss.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::GPT_OSS.identity("You are Pilot."))?;
    /// assert!(text.starts_with("<|start|>system<|message|>You are Pilot.\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn identity(mut self, identity: impl Into<String>) -> Native {
        self.switch().identity = Some(identity.into());
        self
    }

    /// The day that the text names, instead of today: Llama 3.1 and 3.2, Granite, gpt-oss, SmolLM 3.
    ///
    /// ```
    /// use prompt_core::format::{self, Date};
    /// use prompt_core::{Message, Messages, Prompt};
    ///
    /// let day = Date { year: 2025, month: 7, day: 26 };
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::LLAMA3_2.date(day))?;
    /// assert!(text.contains("Today Date: 26 Jul 2025\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn date(mut self, date: Date) -> Native {
        self.switch().date = Some(date);
        self
    }

    /// The day in words of your own: Llama 3.1 and 3.2.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::LLAMA3_1.date_text("May 1"))?;
    /// assert!(text.contains("Today Date: May 1\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn date_text(mut self, text: impl Into<String>) -> Native {
        self.switch().date_text = Some(text.into());
        self
    }

    /// Describes tools in the first user message, as by default, or in the system turn: Llama 3.1, 3.2 and 4.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, Tool, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]).with_tool(Tool::new("add"));
    /// let text = ask.to_text(format::LLAMA3_1.tools_in_user(false))?;
    /// assert!(text.contains("You have access to the following functions."));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn tools_in_user(mut self, in_user: bool) -> Native {
        self.switch().tools_in_user = in_user;
        self
    }

    /// Turns on tools that the model's maker built in: Llama 3.1 (`brave_search`, `code_interpreter`, …), gpt-oss
    /// (`browser`, `python`).
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert!(ask.to_text(format::GPT_OSS.builtin_tools(["python"]))?.contains("## python\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn builtin_tools<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Native {
        self.switch().builtin_tools = Some(tools.into_iter().map(Into::into).collect());
        self
    }

    /// Describes tools that the model calls with Python code: SmolLM 3.
    ///
    /// ```
    /// use prompt_core::{Json, Message, Messages, Prompt, format};
    ///
    /// let tool = Json::parse("\"def tide(harbour): …\"")?;
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::SMOLLM3.python_tools([tool]))?;
    /// assert!(text.contains("<tools>\ndef tide(harbour): …\n</tools>"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn python_tools(mut self, tools: impl IntoIterator<Item = Json>) -> Native {
        self.switch().python_tools = tools.into_iter().collect();
        self
    }

    /// Gives passages to answer from, as objects with a `text`: Granite.
    ///
    /// ```
    /// use prompt_core::{Json, Message, Messages, Prompt, format};
    ///
    /// let passage = Json::parse(r#"{"text": "High water is at six."}"#)?;
    /// let text = Messages::from([Message::user("When?")]).to_text(format::GRANITE3_1.documents([passage]))?;
    /// assert!(text.contains("Document 0\nHigh water is at six.<|end_of_text|>"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn documents(mut self, documents: impl IntoIterator<Item = Json>) -> Native {
        self.switch().documents = documents.into_iter().collect();
        self
    }

    /// Asks for more than an answer, such as citations or a length: Granite.
    ///
    /// ```
    /// use prompt_core::{Json, Message, Messages, Prompt, format};
    ///
    /// let controls = Json::parse(r#"{"length": "short"}"#)?;
    /// let text = Messages::from([Message::user("When?")]).to_text(format::GRANITE3_1.controls(controls))?;
    /// assert!(text.ends_with("<|start_of_role|>assistant {\"length\": \"short\"}<|end_of_role|>"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn controls(mut self, controls: impl Into<Json>) -> Native {
        self.switch().controls = Some(controls.into());
        self
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
        guard::apply(out, self.family.tokens, self.family)
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
        wrapped.text.reserve(chat.size());
        wrapped.segments.reserve(2 * chat.turns.len() + 2);
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
        let framing = self
            .framing(out.options())
            .filter(|_| messages.tools().is_empty());
        let skipped = self.skipped(out.options());
        match framing.and_then(|framing| framing.write(messages.as_slice(), skipped, out)) {
            Some(()) => Ok(()),
            None => self.write_chat(&Chat::from(messages), out),
        }
    }

    fn framed(&self, messages: &Messages, wrapping: &Wrapping) -> Option<String> {
        let framing = self
            .framing(wrapping)
            .filter(|_| messages.tools().is_empty())?;
        let guarded = wrapping.guard != Guard::Allow;
        framing.text(messages.as_slice(), self.skipped(wrapping), guarded)
    }

    fn joined(
        &self,
        wrapping: &Wrapping,
        render: &mut dyn FnMut(&Family) -> Option<Text>,
    ) -> Option<String> {
        let framing = self.framing(wrapping)?;
        if self.skipped(wrapping).is_some() {
            return None;
        }
        let text = render(self.family)?;
        framing.joined(text, wrapping.guard != Guard::Allow)
    }
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Native({})", self.family.name)
    }
}
