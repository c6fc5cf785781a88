use std::borrow::Cow;

use crate::format::{ChatFormat, Family, check_facts, unsupported};
use crate::lazyllm::Keys;
use crate::lazyllm::sections::{
    Sections, Turn, calling_section, extra_section, split, tool_section,
};
use crate::syntax::family;
use crate::{
    Draft, History, Json, Message, Messages, Prompt, Result, Role, Source, Text, ToolCall, Wrapped,
};

/// LazyLLM's Chat layout.
///
/// Without a user message at the end an empty user turn stands there: the instruction holds the question then.
/// Results of tools at the end are the current turn, in the marks `soe` and `eoe`.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, lazyllm};
///
/// let ask = Messages::from([Message::system("Be kind."), Message::user("Hi")]);
/// assert_eq!(
///     ask.to_text(lazyllm::Chat::new())?,
///     "You are an AI-Agent developed by LazyLLM.Be kind.\n\n\n\n\n\nHi\n\n"
/// );
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chat {
    keys: Keys,
    roles: bool,
    enable_system: bool,
    skills: Text,
    history: History,
}

impl Default for Chat {
    fn default() -> Chat {
        let (keys, skills, history) = (Keys::default(), Text::new(), History::new());
        Chat {
            keys,
            roles: false,
            enable_system: true,
            skills,
            history,
        }
    }
}

impl Chat {
    /// The layout of an instruction that is one string: the prompt's system message.
    pub fn new() -> Chat {
        Chat::default()
    }

    /// The layout of an instruction `{system, user}`: the prompt's system message, and the start of its user message.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, lazyllm};
    ///
    /// let ask = Messages::from([Message::system("Be kind."), Message::user("Hi")]);
    /// assert_eq!(ask.to_text(lazyllm::Chat::with_roles().system(""))?, "Be kind.\n\n\n\nHi\n\n");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_roles() -> Chat {
        Chat {
            roles: true,
            ..Chat::default()
        }
    }

    /// Takes a model group's keys.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, lazyllm::{Chat, Keys}};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// let text = ask.to_text(Chat::new().keys(Keys::named("baichuan2")?.with_system("")))?;
    /// assert_eq!(text, "<reserved_106>\nHi\n<reserved_107>\n");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn keys(mut self, keys: Keys) -> Chat {
        self.keys = keys;
        self
    }

    /// Sets the text before the instruction; an empty one leaves it out.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, lazyllm::Chat};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert_eq!(ask.to_text(Chat::new().system("You are Ada."))?, "You are Ada.\n\n\n\nHi\n\n");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn system(mut self, text: impl Into<Cow<'static, str>>) -> Chat {
        self.keys.system = text.into();
        self
    }

    /// Sets the text after the instruction.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, lazyllm};
    ///
    /// let ask = Messages::from([Message::system("Be kind."), Message::user("Hi")]);
    /// let messages = lazyllm::Chat::new().system("").skills("You can sing.").to_messages(&ask)?;
    /// assert_eq!(messages[0].text(), "Be kind.\n\n\nYou can sing.");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn skills(mut self, text: impl Into<Text>) -> Chat {
        self.skills = text.into();
        self
    }

    /// Sets turns that stand before those of the prompt.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, lazyllm::Chat};
    ///
    /// let ask = Messages::from([Message::user("Bye")]);
    /// let messages = Chat::new().history([("Hi", "Hello")]).to_messages(&ask)?;
    /// assert_eq!((messages.len(), &*messages[2].text()), (4, "Hello"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn history(mut self, history: impl Into<History>) -> Chat {
        self.history = history.into();
        self
    }

    /// Leaves out the whole system part, with the prompt's own system message in it, when `false`.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, lazyllm::Chat};
    ///
    /// let ask = Messages::from([Message::system("Be kind."), Message::user("Hi")]);
    /// assert_eq!(Chat::new().enable_system(false).to_messages(&ask)?.len(), 1);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn enable_system(mut self, enable: bool) -> Chat {
        self.enable_system = enable;
        self
    }

    /// LazyLLM's dict form: the messages and tools, to be serialized with [`Messages::openai`] or
    /// [`Messages::anthropic`].
    ///
    /// # Errors
    /// What could not be written into the prompt.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, lazyllm};
    ///
    /// let ask = Messages::from([Message::system("Be kind."), Message::user("Hi")]);
    /// let messages = lazyllm::Chat::new().to_messages(&ask)?;
    /// assert_eq!(messages[0].text(), "You are an AI-Agent developed by LazyLLM.\nBe kind.\n\n");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn to_messages(&self, prompt: &(impl Prompt + ?Sized)) -> Result<Messages> {
        let draft = Draft::of(prompt);
        draft.messages.check()?;
        let sections = split(&draft.messages);
        let (instruction, appendix) = self.lay(&sections, &draft);
        let mut messages = Messages::new();
        if self.enable_system {
            let mut system = Text::new();
            system.push_own(&self.keys.system);
            for part in [&instruction, &self.skills]
                .into_iter()
                .filter(|part| !part.is_empty())
            {
                system.push_template(if system.is_empty() { "" } else { "\n" });
                system.push(part);
            }
            if !system.is_empty() {
                messages.push(Message::system(system));
            }
        }
        let turns = sections
            .history
            .iter()
            .chain(&sections.current)
            .map(|turn| turn.1);
        messages.extend(self.history.iter().chain(turns).cloned());
        if sections.current.is_empty() {
            messages.push(Message::user(Text::new()));
        }
        if let Some(last) = messages
            .iter_mut()
            .next_back()
            .filter(|_| !appendix.is_empty())
        {
            last.push_text(&appendix);
        }
        messages
            .tools_mut()
            .extend_from_slice(draft.messages.tools());
        Ok(messages)
    }

    /// The instruction, and what follows the user's text.
    fn lay(&self, sections: &Sections<'_>, draft: &Draft) -> (Text, Text) {
        let extra = extra_section(&draft.extras);
        let mut instruction = sections.instruction.clone().into_owned();
        let results = sections
            .current
            .iter()
            .any(|turn| turn.1.role == Role::Tool);
        if self.roles && !results {
            let mut appendix = Text::new();
            if !extra.is_empty() && sections.current.iter().any(|turn| !turn.1.parts.is_empty()) {
                appendix.push_template("\n\n");
            }
            appendix.push(&extra);
            return (instruction, appendix);
        }
        let bare = extra.is_empty() && (self.roles || !sections.is_instructed);
        if !bare {
            instruction.push_template(if sections.is_instructed { "\n" } else { "" });
            instruction.push(&extra);
            instruction.push_template("\n");
        }
        (instruction, Text::new())
    }

    fn write_system(&self, instruction: &Text, draft: &Draft, out: &mut Wrapped) -> Result<()> {
        let tools = draft.messages.tools();
        if !self.enable_system && tools.is_empty() {
            return Ok(());
        }
        out.structure(&self.keys.sos);
        if self.enable_system {
            out.push(&self.keys.system, Source::Template);
            out.message(
                draft
                    .messages
                    .iter()
                    .position(|message| message.role == Role::System),
            );
            out.text(instruction);
            out.message(None);
        }
        out.text(&calling_section(tools, &self.keys)?);
        if self.enable_system {
            out.text(&self.skills);
        }
        out.text(&tool_section(tools)?);
        out.structure(&self.keys.eos);
        Ok(())
    }

    fn write_turn(&self, (index, message): Turn<'_>, out: &mut Wrapped) -> Result<()> {
        let keys = &self.keys;
        let (start, end) = match message.role {
            Role::User => (&keys.soh, &keys.eoh),
            Role::Assistant => (&keys.soa, &keys.eoa),
            Role::Tool => (&keys.soe, &keys.eoe),
            Role::System => {
                let help =
                    "put all instructions into the first message, or use `Chat::to_messages`";
                return Err(unsupported(
                    &family::LAZYLLM_CHAT,
                    (index, message),
                    "stands among the turns",
                    help,
                ));
            }
        };
        out.structure(start);
        out.text(&message.whole_text());
        for call in &message.tool_calls {
            out.structure(&keys.tool_start_token);
            out.structure("\n");
            self.write_call(call, out)?;
            out.structure(&keys.tool_end_token);
            out.structure("\n");
        }
        out.structure(end);
        Ok(())
    }

    fn write_call(&self, call: &ToolCall, out: &mut Wrapped) -> Result<()> {
        let data = Source::Data(None);
        let arguments = call
            .json()
            .map_or_else(|_| call.arguments.clone(), |json| json.spaced());
        if !self.keys.tool_args_token.is_empty() {
            out.push(&call.name, data);
            out.structure(&self.keys.tool_args_token);
            out.push(&arguments, data);
            return Ok(());
        }
        let name = Json::of(&call.name)?;
        let arguments = call.json().or_else(|_| Json::of(&call.arguments))?;
        out.push(
            &format!(
                "{{\"name\": {name}, \"arguments\": {}}}",
                arguments.spaced()
            ),
            data,
        );
        Ok(())
    }

    fn write_current(&self, current: &[Turn<'_>], appendix: &Text, out: &mut Wrapped) {
        let keys = &self.keys;
        let results = current.iter().any(|turn| turn.1.role == Role::Tool);
        let (soe, eoe) = (
            results && !keys.soe.is_empty(),
            results && !keys.eoe.is_empty(),
        );
        out.structure("\n");
        out.structure(if soe { &keys.soe } else { &keys.soh });
        out.structure("\n");
        for (at, (index, message)) in current.iter().enumerate() {
            out.message(*index);
            out.structure(if at > 0 { "\n" } else { "" });
            out.text(&message.whole_text());
        }
        out.text(appendix);
        out.message(None);
        out.structure("\n");
        out.structure(if eoe { &keys.eoe } else { &keys.eoh });
    }
}

impl ChatFormat for Chat {
    fn family(&self) -> &'static Family {
        &family::LAZYLLM_CHAT
    }

    fn tokens(&self) -> Vec<&str> {
        self.keys.tokens()
    }

    fn write(&self, messages: &Messages, out: &mut Wrapped) -> Result<()> {
        self.write_draft(
            Draft {
                messages: messages.clone(),
                extras: Vec::new(),
            },
            out,
        )
    }

    fn write_draft(&self, draft: Draft, out: &mut Wrapped) -> Result<()> {
        check_facts(&family::LAZYLLM_CHAT, &draft.messages)?;
        check_facts(
            &family::LAZYLLM_CHAT,
            &self.history.clone().into_iter().collect(),
        )?;
        let sections = split(&draft.messages);
        let (instruction, appendix) = self.lay(&sections, &draft);
        self.write_system(&instruction, &draft, out)?;
        out.structure("\n\n");
        let before = self.history.iter().enumerate().map(|turn| (None, turn));
        for (place, turn) in before.chain(sections.history.iter().map(|turn| (Some(turn.0), *turn)))
        {
            out.message(place);
            self.write_turn(turn, out)?;
        }
        out.message(None);
        self.write_current(&sections.current, &appendix, out);
        let label = out.options().label.clone();
        if out.options().generation_prompt || label.is_some() {
            out.structure(&self.keys.soa);
            out.structure("\n");
        }
        if let Some(label) = label {
            out.label(&label, &self.keys.eoa);
        }
        out.strip_line_breaks();
        Ok(())
    }
}
