use std::borrow::Cow;

use crate::format::{ChatFormat, Family, check_facts, unsupported};
use crate::lazyllm::Keys;
use crate::lazyllm::sections::{calling_section, extra_section, split, tool_section};
use crate::syntax::family;
use crate::{Draft, Message, Messages, Prompt, Result, Role, Source, Text, Wrapped};

/// LazyLLM's Alpaca layout.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, lazyllm};
///
/// let ask = Messages::from([Message::system("Translate good morning into French.")]);
/// let text = ask.to_text(lazyllm::Alpaca::new().system(""))?;
/// assert!(text.ends_with("### Instruction:\nTranslate good morning into French.\n\n\n\n### Response:\n"));
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alpaca {
    keys: Keys,
    roles: bool,
}

const INTRODUCTION: &str = "Below is an instruction that describes a task, paired with extra messages such as input \
    that provides further context if possible. Write a response that appropriately completes the request.\n\n\
    ### Instruction:\n";

impl Alpaca {
    /// The layout of an instruction that is one string: the prompt's system message. A user message is an error.
    pub fn new() -> Alpaca {
        Alpaca::default()
    }

    /// The layout of an instruction `{system, user}`: the prompt's system and user messages.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, lazyllm};
    ///
    /// let ask = Messages::from([Message::system("You are a tutor."), Message::user("Question: 1+1\n")]);
    /// let text = ask.to_text(lazyllm::Alpaca::with_roles())?;
    /// assert!(text.ends_with("### Instruction:\nYou are a tutor.\n\nQuestion: 1+1\n### Response:\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_roles() -> Alpaca {
        Alpaca {
            roles: true,
            ..Alpaca::default()
        }
    }

    /// Takes a model group's keys; of these Alpaca writes the system text and the tokens of tools only.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, lazyllm::{Alpaca, Keys}};
    ///
    /// let ask = Messages::from([Message::system("Do it.")]);
    /// assert!(ask.to_text(Alpaca::new().keys(Keys::named("qwen")?))?.starts_with("You are a helpful assistant.\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn keys(mut self, keys: Keys) -> Alpaca {
        self.keys = keys;
        self
    }

    /// Sets the text before the instruction; an empty one leaves it out.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, lazyllm::Alpaca};
    ///
    /// let ask = Messages::from([Message::system("Do it.")]);
    /// assert!(ask.to_text(Alpaca::new().system("You are Ada."))?.starts_with("You are Ada.\nBelow is"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn system(mut self, text: impl Into<Cow<'static, str>>) -> Alpaca {
        self.keys.system = text.into();
        self
    }

    /// LazyLLM's dict form: the messages and tools, to be serialized with [`Messages::openai`] or
    /// [`Messages::anthropic`].
    ///
    /// # Errors
    /// History, media, and a user message beside an instruction that is one string.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, lazyllm};
    ///
    /// let messages = lazyllm::Alpaca::new().to_messages(&Messages::from([Message::system("Tell a joke.")]))?;
    /// assert_eq!((messages.len(), &*messages[1].text()), (2, ""));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn to_messages(&self, prompt: &(impl Prompt + ?Sized)) -> Result<Messages> {
        let draft = Draft::of(prompt);
        draft.messages.check()?;
        let (instruction, user) = self.lay(&draft)?;
        let mut system = Text::new();
        system.push_own(&self.keys.system);
        if !system.is_empty() {
            system.push_template("\n");
        }
        system.push(&instruction);
        let mut messages = Messages::from([Message::system(system), Message::user(user)]);
        messages
            .tools_mut()
            .extend_from_slice(draft.messages.tools());
        Ok(messages)
    }

    /// The instruction and the user's part.
    fn lay(&self, draft: &Draft) -> Result<(Text, Text)> {
        check_facts(&family::LAZYLLM_ALPACA, &draft.messages)?;
        let sections = split(&draft.messages);
        if let Some(turn) = sections.history.first() {
            let help = "give one system and one user message";
            return Err(unsupported(
                &family::LAZYLLM_ALPACA,
                *turn,
                "is one message too many",
                help,
            ));
        }
        let mut user = Text::new();
        for turn in &sections.current {
            if !self.roles && !turn.1.text().is_empty() {
                let help = "put it into the system message or an `#[prompt(extra)]` field, or use `Alpaca::with_roles`";
                return Err(unsupported(
                    &family::LAZYLLM_ALPACA,
                    *turn,
                    "stands beside the instruction",
                    help,
                ));
            }
            user.push(&turn.1.whole_text());
        }
        let extra = extra_section(&draft.extras);
        let mut instruction = Text::template(INTRODUCTION);
        instruction.push(&sections.instruction);
        if !self.roles {
            instruction.push_template("\n\n");
            instruction.push(&extra);
        } else if !extra.is_empty() {
            user.push_template("\n\n");
            user.push(&extra);
        }
        Ok((instruction, user))
    }
}

impl ChatFormat for Alpaca {
    fn family(&self) -> &'static Family {
        &family::LAZYLLM_ALPACA
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
        let (instruction, user) = self.lay(&draft)?;
        let tools = draft.messages.tools();
        let index = |role| {
            draft
                .messages
                .iter()
                .position(|message| message.role == role)
        };
        out.push(&self.keys.system, Source::Template);
        out.structure("\n");
        out.message(index(Role::System));
        out.text(&instruction);
        out.message(None);
        out.text(&calling_section(tools, &self.keys)?);
        out.structure("\n");
        out.text(&tool_section(tools)?);
        out.structure("\n");
        out.message(index(Role::User));
        out.text(&user);
        out.message(None);
        let label = out.options().label.clone();
        if out.options().generation_prompt || label.is_some() {
            out.structure("### Response:\n");
        }
        if let Some(label) = label {
            out.label(&label, "");
        }
        out.strip_line_breaks();
        Ok(())
    }
}
