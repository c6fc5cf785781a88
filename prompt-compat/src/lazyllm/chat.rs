//! LazyLLM's Chat layout.

use std::borrow::Cow;

use prompt_core::ChatFormat;
use prompt_core::format::{ControlTokenSet, Family, FormatOptions, check_facts, unsupported};
use prompt_core::{
    AnnotatedText, Extra, Guard, History, Json, Message, Messages, Origin, Prompt, PromptParts,
    Result, Role, Text, ToolCall, Writer,
};

use super::Keys;
use super::conversation::{
    DividedConversation, DividedTurn, TextSegment, template_segment, write_calling, write_extras,
    write_labelled, write_tools,
};

/// LazyLLM's Chat layout.
///
/// Without a user message at the end, the instruction contains the question, and an empty user turn is written. Results of
/// tools at the end are the current turn, between the keys `soe` and `eoe`.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, compat::lazyllm};
///
/// let ask = Messages::from([Message::system("Be kind."), Message::user("Hi")]);
/// assert_eq!(
///     ask.to_text(lazyllm::Chat::new())?,
///     "You are an AI-Agent developed by LazyLLM.Be kind.\n\n\n\n\n\nHi\n\n"
/// );
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Chat {
    keys: Keys,
    tokens: ControlTokenSet,
    roles: bool,
    enable_system: bool,
    skills: Text,
    history: History,
}

impl Default for Chat {
    fn default() -> Chat {
        Chat {
            keys: Keys::default(),
            tokens: ControlTokenSet::new(&Chat::FAMILY),
            roles: false,
            enable_system: true,
            skills: Text::new(),
            history: History::new(),
        }
    }
}

impl Chat {
    /// The facts of the layout: `format = lazyllm::Chat::FAMILY` checks a prompt against them at compile time. The
    /// delimiters between the turns are the keys of a model, which are not known at compile time.
    ///
    /// ```
    /// use typed_prompt::compat::lazyllm::Chat;
    ///
    /// assert!(Chat::FAMILY.system && Chat::FAMILY.tools);
    /// ```
    pub const FAMILY: Family = Family {
        name: "lazyllm_chat",
        title: "LazyLLM's Chat",
        system: true,
        history: true,
        tools: true,
        ..Family::BARE
    };

    /// The layout of an instruction that is one string: the prompt's system message.
    pub fn new() -> Chat {
        Chat::default()
    }

    /// Sets the layout of an instruction `{system, user}`: the prompt's system message, and the start of its user message.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, compat::lazyllm};
    ///
    /// let ask = Messages::from([Message::system("Be kind."), Message::user("Hi")]);
    /// assert_eq!(ask.to_text(lazyllm::Chat::new().roles().system(""))?, "Be kind.\n\n\n\nHi\n\n");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn roles(mut self) -> Chat {
        self.roles = true;
        self
    }

    /// Sets a model group's keys.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, compat::lazyllm::{Chat, Keys}};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// let text = ask.to_text(Chat::new().keys(Keys::from_name("baichuan2")?.system("")))?;
    /// assert_eq!(text, "<reserved_106>\nHi\n<reserved_107>\n");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn keys(mut self, keys: Keys) -> Chat {
        self.tokens = ControlTokenSet::from_tokens(&Chat::FAMILY, &keys.control_tokens());
        self.keys = keys;
        self
    }

    /// Sets the text before the instruction; an empty one omits it.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, compat::lazyllm::Chat};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert_eq!(ask.to_text(Chat::new().system("You are Ada."))?, "You are Ada.\n\n\n\nHi\n\n");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn system(mut self, text: impl Into<Cow<'static, str>>) -> Chat {
        self.keys.system = text.into();
        self
    }

    /// Sets the text after the instruction.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, compat::lazyllm};
    ///
    /// let ask = Messages::from([Message::system("Be kind."), Message::user("Hi")]);
    /// let messages = lazyllm::Chat::new().system("").skills("You can sing.").to_messages(&ask)?;
    /// assert_eq!(messages[0].text(), "Be kind.\n\n\nYou can sing.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn skills(mut self, text: impl Into<Text>) -> Chat {
        self.skills = text.into();
        self
    }

    /// Sets turns that precede those of the prompt.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, compat::lazyllm::Chat};
    ///
    /// let ask = Messages::from([Message::user("Bye")]);
    /// let messages = Chat::new().history([("Hi", "Hello")]).to_messages(&ask)?;
    /// assert_eq!((messages.len(), &*messages[2].text()), (4, "Hello"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn history(mut self, history: impl Into<History>) -> Chat {
        self.history = history.into();
        self
    }

    /// The turns that precede those of the prompt.
    fn earlier_messages(&self) -> Result<Messages> {
        let mut out = Writer::new();
        out.history(&self.history);
        out.finish()
    }

    /// With `false`, omits the whole system part, including the prompt's system message.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, compat::lazyllm::Chat};
    ///
    /// let ask = Messages::from([Message::system("Be kind."), Message::user("Hi")]);
    /// assert_eq!(Chat::new().enable_system(false).to_messages(&ask)?.len(), 1);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn enable_system(mut self, enable: bool) -> Chat {
        self.enable_system = enable;
        self
    }

    /// Renders LazyLLM's dict form: messages and tools, to be serialized with [`Messages::openai`] or
    /// [`Messages::anthropic`].
    ///
    /// # Errors
    /// The first error of writing the prompt.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, compat::lazyllm};
    ///
    /// let ask = Messages::from([Message::system("Be kind."), Message::user("Hi")]);
    /// let messages = lazyllm::Chat::new().to_messages(&ask)?;
    /// assert_eq!(messages[0].text(), "You are an AI-Agent developed by LazyLLM.\nBe kind.\n\n");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn to_messages(&self, prompt: &(impl Prompt + ?Sized)) -> Result<Messages> {
        let parts = PromptParts::from_prompt(prompt)?
            .guard_headings(Guard::default(), Self::FAMILY.title)?;
        let PromptParts {
            messages, extras, ..
        } = parts;
        let conversation = DividedConversation::new(&messages, &extras);
        let mut instruction = Text::new();
        self.instruction_text(&conversation, &mut instruction);
        let appendix = self.text_after_user(&conversation);
        let mut laid = Messages::new();
        if self.enable_system {
            let mut system = Text::new();
            system.extend([(&*self.keys.system, Origin::Template)]);
            for part in [&instruction, &self.skills]
                .into_iter()
                .filter(|part| !part.is_empty())
            {
                system.push_template(if system.is_empty() { "" } else { "\n" });
                system.push(part);
            }
            // LazyLLM also sends an empty system message.
            laid.push(Message::system(system));
        }
        let instructions = usize::from(conversation.instruction.is_some());
        let mut turns = messages.iter().skip(instructions).peekable();
        if let Some(next) = turns.peek() {
            self.history.check_question(next)?;
        }
        let earlier = self.earlier_messages()?;
        laid.extend(earlier.iter().chain(turns).cloned());
        if conversation.current_messages().next().is_none() {
            laid.push(Message::user(Text::new()));
        }
        if let Some(last) = laid.iter_mut().next_back().filter(|_| !appendix.is_empty()) {
            last.push_text(&appendix);
        }
        let tools = messages.tools().iter().cloned();
        Ok(tools.fold(laid, Messages::with_tool))
    }

    /// Checks that the layout can express the messages and the history.
    fn check_messages(&self, messages: &Messages) -> Result<()> {
        check_facts(&Self::FAMILY, messages)?;
        match self.history.is_empty() {
            true => Ok(()),
            false => check_facts(&Self::FAMILY, &self.earlier_messages()?),
        }
    }

    /// Whether extra fields follow the user's text, and not the instruction.
    fn extends_user(&self, conversation: &DividedConversation<'_>) -> bool {
        self.roles && !conversation.has_results()
    }

    fn instruction_text<'a>(
        &self,
        conversation: &DividedConversation<'a>,
        out: &mut impl Extend<TextSegment<'a>>,
    ) {
        let parts = conversation
            .instruction
            .into_iter()
            .flat_map(Message::texts);
        parts.for_each(|part| out.extend(part.pieces()));
        let is_instructed = conversation.instruction.is_some();
        let is_bare = conversation.extras.is_empty() && (self.roles || !is_instructed);
        if !is_bare && !self.extends_user(conversation) {
            out.extend([template_segment(if is_instructed { "\n" } else { "" })]);
            write_extras(conversation.extras, out);
            out.extend([template_segment("\n")]);
        }
    }

    /// The text that follows the user's.
    fn text_after_user(&self, conversation: &DividedConversation<'_>) -> Text {
        let mut text = Text::new();
        if conversation.extras.is_empty() || !self.extends_user(conversation) {
            return text;
        }
        if conversation
            .current_messages()
            .any(|turn| !turn.1.parts.is_empty())
        {
            text.push_template("\n\n");
        }
        write_extras(conversation.extras, &mut text);
        text
    }

    fn write_all(
        &self,
        messages: &Messages,
        extras: &[Extra],
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        self.check_messages(messages)?;
        let conversation = DividedConversation::new(messages, extras);
        write_labelled(options, out, &self.keys.eoa, |out| {
            self.write_sections(&conversation, options, out)
        })
    }

    fn write_sections(
        &self,
        conversation: &DividedConversation<'_>,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        let keys = &self.keys;
        let (bytes, pieces) = conversation.estimate_size(keys.soa.len() + keys.eoa.len());
        out.reserve(bytes, pieces);
        self.write_system(conversation, out)?;
        out.structure("\n\n");
        for turn in self.history.iter().enumerate() {
            self.write_turn(turn, None, out)?;
        }
        let mut earlier = conversation.earlier_turns();
        earlier.try_for_each(|turn| self.write_turn(turn, Some(turn.0), out))?;
        out.message(None);
        self.write_current(conversation, out);
        if options.generation_prompt || options.label.is_some() {
            out.structure(&keys.soa);
            out.structure("\n");
        }
        Ok(())
    }

    fn write_system(
        &self,
        conversation: &DividedConversation<'_>,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        let tools = conversation.messages.tools();
        if !self.enable_system && tools.is_empty() {
            return Ok(());
        }
        out.structure(&self.keys.sos);
        if self.enable_system {
            out.push(&self.keys.system, Origin::Template);
            out.message(conversation.instruction.map(|_| 0));
            self.instruction_text(conversation, out);
            out.message(None);
        }
        write_calling(tools, &self.keys, out)?;
        if self.enable_system {
            out.text(&self.skills);
        }
        write_tools(tools, out)?;
        out.structure(&self.keys.eos);
        Ok(())
    }

    /// A turn before the current one. `index` is its index in the prompt, if it is one of the prompt's.
    fn write_turn(
        &self,
        (at, turn): DividedTurn<'_>,
        index: Option<usize>,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        let keys = &self.keys;
        let [start, end] = match turn.role {
            Role::System => {
                let help =
                    "put all instructions into the first message, or use `Chat::to_messages`";
                let turn = (at, Role::System);
                return Err(unsupported(
                    &Self::FAMILY,
                    turn,
                    "is placed among the turns",
                    help,
                ));
            }
            Role::User => [&keys.soh, &keys.eoh],
            Role::Assistant => [&keys.soa, &keys.eoa],
            _ => [&keys.soe, &keys.eoe],
        };
        out.message(index);
        out.structure(start);
        if turn.role == Role::Assistant {
            out.begin_generated();
        }
        turn.texts().for_each(|text| out.text(text));
        for call in &turn.tool_calls {
            out.structure(&keys.tool_start_token);
            out.structure("\n");
            self.write_call(call, out)?;
            out.structure(&keys.tool_end_token);
            out.structure("\n");
        }
        out.structure(end);
        out.end_generated();
        Ok(())
    }

    fn write_call(&self, call: &ToolCall, out: &mut AnnotatedText) -> Result<()> {
        if self.keys.tool_args_token.is_empty() {
            let name = Json::from_serialize(&call.name)?;
            let arguments = call
                .json()
                .or_else(|_| Json::from_serialize(&call.arguments))?;
            let arguments = arguments.spaced();
            let call = format!("{{\"name\": {name}, \"arguments\": {arguments}}}");
            out.push(&call, Origin::Data(None));
            return Ok(());
        }
        let arguments = call
            .json()
            .map_or_else(|_| call.arguments.clone(), |json| json.spaced());
        out.push(&call.name, Origin::Data(None));
        out.structure(&self.keys.tool_args_token);
        out.push(&arguments, Origin::Data(None));
        Ok(())
    }

    fn write_current(&self, conversation: &DividedConversation<'_>, out: &mut AnnotatedText) {
        let keys = &self.keys;
        let results = conversation.has_results();
        let (soe, eoe) = (
            results && !keys.soe.is_empty(),
            results && !keys.eoe.is_empty(),
        );
        out.structure("\n");
        out.structure(if soe { &keys.soe } else { &keys.soh });
        out.structure("\n");
        for (at, (index, turn)) in conversation.current_messages().enumerate() {
            out.message(Some(index));
            out.structure(if at > 0 { "\n" } else { "" });
            turn.texts().for_each(|text| out.text(text));
        }
        out.text(&self.text_after_user(conversation));
        out.message(None);
        out.structure("\n");
        out.structure(if eoe { &keys.eoe } else { &keys.eoh });
    }
}

impl ChatFormat for Chat {
    fn family(&self) -> &'static Family {
        &Self::FAMILY
    }

    fn guarded_tokens(&self) -> Vec<&str> {
        self.tokens.tokens()
    }

    fn apply_guard(&self, text: AnnotatedText, options: &FormatOptions) -> Result<AnnotatedText> {
        self.tokens.guard(text, options)
    }

    fn write_messages(
        &self,
        messages: &Messages,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        self.write_all(messages, &[], options, out)
    }

    fn write_parts(
        &self,
        parts: PromptParts,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        let parts = parts.guard_headings(options.guard, Self::FAMILY.title)?;
        self.write_all(&parts.messages, &parts.extras, options, out)
    }
}
