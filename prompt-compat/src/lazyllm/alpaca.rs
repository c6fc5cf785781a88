//! LazyLLM's Alpaca layout.

use std::borrow::Cow;

use prompt_core::ChatFormat;
use prompt_core::format::{ControlTokenSet, Family, FormatOptions, check_facts, unsupported};
use prompt_core::{
    AnnotatedText, Extra, Guard, Message, Messages, Origin, Prompt, PromptParts, Result, Role, Text,
};

use super::Keys;
use super::conversation::{
    DividedConversation, INSTRUCTION, TextSegment, template_segment, write_calling, write_extras,
    write_labelled, write_tools,
};

const TOKENS: &[&str] = &[
    "### Instruction:",
    "### Function-call Tools.",
    "### Response:",
];

/// LazyLLM's Alpaca layout.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, compat::lazyllm};
///
/// let ask = Messages::from([Message::system("Translate good morning into French.")]);
/// let text = ask.to_text(lazyllm::Alpaca::new().system(""))?;
/// assert!(text.ends_with("### Instruction:\nTranslate good morning into French.\n\n\n\n### Response:\n"));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alpaca {
    keys: Keys,
    roles: bool,
}

impl Alpaca {
    /// The facts of the layout: `format = lazyllm::Alpaca::FAMILY` checks a prompt against them at compile time.
    ///
    /// ```
    /// use typed_prompt::compat::lazyllm::Alpaca;
    ///
    /// assert!(Alpaca::FAMILY.system && Alpaca::FAMILY.tools);
    /// ```
    pub const FAMILY: Family = Family {
        name: "lazyllm_alpaca",
        title: "LazyLLM's Alpaca",
        tokens: TOKENS,
        loose: TOKENS,
        system: true,
        tools: true,
        ..Family::BARE
    };

    /// The layout of an instruction that is one string: the prompt's system message. A user message is an error.
    pub fn new() -> Alpaca {
        Alpaca::default()
    }

    /// Sets the layout of an instruction `{system, user}`: the prompt's system and user messages.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, compat::lazyllm};
    ///
    /// let ask = Messages::from([Message::system("You are a tutor."), Message::user("Question: 1+1\n")]);
    /// let text = ask.to_text(lazyllm::Alpaca::new().roles())?;
    /// assert!(text.ends_with("### Instruction:\nYou are a tutor.\n\nQuestion: 1+1\n### Response:\n"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn roles(mut self) -> Alpaca {
        self.roles = true;
        self
    }

    /// Sets a model group's keys. Alpaca uses only their system text and their delimiters of tool calls.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, compat::lazyllm::{Alpaca, Keys}};
    ///
    /// let ask = Messages::from([Message::system("Do it.")]);
    /// assert!(ask.to_text(Alpaca::new().keys(Keys::from_name("qwen")?))?.starts_with("You are a helpful assistant.\n"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn keys(mut self, keys: Keys) -> Alpaca {
        self.keys = keys;
        self
    }

    /// Sets the text before the instruction; an empty one omits it.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, compat::lazyllm::Alpaca};
    ///
    /// let ask = Messages::from([Message::system("Do it.")]);
    /// assert!(ask.to_text(Alpaca::new().system("You are Ada."))?.starts_with("You are Ada.\nBelow is"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn system(mut self, text: impl Into<Cow<'static, str>>) -> Alpaca {
        self.keys.system = text.into();
        self
    }

    /// Renders LazyLLM's dict form: messages and tools, to be serialized with [`Messages::openai`] or
    /// [`Messages::anthropic`].
    ///
    /// # Errors
    /// History, media, and a user message beside an instruction that is one string.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, compat::lazyllm};
    ///
    /// let messages = lazyllm::Alpaca::new().to_messages(&Messages::from([Message::system("Tell a joke.")]))?;
    /// assert_eq!((messages.len(), &*messages[1].text()), (2, ""));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn to_messages(&self, prompt: &(impl Prompt + ?Sized)) -> Result<Messages> {
        let parts = PromptParts::from_prompt(prompt)?
            .guard_headings(Guard::default(), Self::FAMILY.title)?;
        let PromptParts {
            messages, extras, ..
        } = parts;
        check_facts(&Self::FAMILY, &messages)?;
        let conversation = DividedConversation::new(&messages, &extras);
        self.check_conversation(&conversation)?;
        let mut system = Text::new();
        system.extend([(&*self.keys.system, Origin::Template)]);
        if !system.is_empty() {
            system.push_template("\n");
        }
        self.instruction_text(&conversation, &mut system);
        let mut user = Text::new();
        self.user_text(&conversation, &mut user);
        let laid = Messages::from([Message::system(system), Message::user(user)]);
        let tools = messages.tools().iter().cloned();
        Ok(tools.fold(laid, Messages::with_tool))
    }

    /// Checks that Alpaca can express a conversation.
    fn check_conversation(&self, conversation: &DividedConversation<'_>) -> Result<()> {
        if let Some((index, turn)) = conversation.earlier_turns().next() {
            let help = "give one system and one user message";
            let turn = (index, turn.role);
            return Err(unsupported(
                &Self::FAMILY,
                turn,
                "is one message too many",
                help,
            ));
        }
        let mut current = conversation.current_messages();
        match current.find(|turn| !turn.1.text().is_empty()) {
            Some((index, turn)) if !self.roles => {
                let what = "is given beside the instruction";
                let help = "put it into the system message or an `#[prompt(extra)]` field, or use `Alpaca::roles`";
                Err(unsupported(&Self::FAMILY, (index, turn.role), what, help))
            }
            _ => Ok(()),
        }
    }

    fn instruction_text<'a>(
        &self,
        conversation: &DividedConversation<'a>,
        out: &mut impl Extend<TextSegment<'a>>,
    ) {
        out.extend([template_segment(INSTRUCTION)]);
        let parts = conversation
            .instruction
            .into_iter()
            .flat_map(Message::texts);
        parts.for_each(|part| out.extend(part.pieces()));
        if !self.roles {
            out.extend([template_segment("\n\n")]);
            write_extras(conversation.extras, out);
        }
    }

    fn user_text<'a>(
        &self,
        conversation: &DividedConversation<'a>,
        out: &mut impl Extend<TextSegment<'a>>,
    ) {
        let parts = conversation
            .current_messages()
            .flat_map(|turn| turn.1.texts());
        parts.for_each(|part| out.extend(part.pieces()));
        if self.roles && !conversation.extras.is_empty() {
            out.extend([template_segment("\n\n")]);
            write_extras(conversation.extras, out);
        }
    }

    fn write_all(
        &self,
        messages: &Messages,
        extras: &[Extra],
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        check_facts(&Self::FAMILY, messages)?;
        let conversation = DividedConversation::new(messages, extras);
        self.check_conversation(&conversation)?;
        write_labelled(options, out, "", |out| {
            self.write_sections(&conversation, options, out)
        })
    }

    fn write_sections(
        &self,
        conversation: &DividedConversation<'_>,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        let tools = conversation.messages.tools();
        let (bytes, pieces) = conversation.estimate_size(self.keys.system.len());
        out.reserve(bytes, pieces);
        out.push(&self.keys.system, Origin::Template);
        out.structure("\n");
        out.message(conversation.instruction.map(|_| 0));
        self.instruction_text(conversation, out);
        out.message(None);
        write_calling(tools, &self.keys, out)?;
        out.structure("\n");
        write_tools(tools, out)?;
        out.structure("\n");
        let user = conversation
            .current_messages()
            .find(|turn| turn.1.role == Role::User);
        out.message(user.map(|turn| turn.0));
        self.user_text(conversation, out);
        out.message(None);
        if options.generation_prompt || options.label.is_some() {
            out.structure("### Response:\n");
        }
        Ok(())
    }
}

impl ChatFormat for Alpaca {
    fn family(&self) -> &'static Family {
        &Self::FAMILY
    }

    fn apply_guard(&self, text: AnnotatedText, options: &FormatOptions) -> Result<AnnotatedText> {
        static SET: ControlTokenSet = ControlTokenSet::new(&Alpaca::FAMILY);
        SET.guard(text, options)
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
