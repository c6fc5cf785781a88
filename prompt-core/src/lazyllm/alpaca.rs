use std::borrow::Cow;

use crate::format::page::Page;
use crate::format::{ChatFormat, Family, Wrapping, check_facts, unsupported};
use crate::guard::{self, Firsts};
use crate::lazyllm::Keys;
use crate::lazyllm::sections::{
    Layout, Sections, Talk, Written, text_alone, write_calling, write_labelled, write_tools,
};
use crate::syntax::family::LAZYLLM_ALPACA as FAMILY;
use crate::{Draft, Extra, Message, Messages, Prompt, Result, Role, Sketch, Text, Wrapped};

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
        let Draft {
            mut messages,
            extras,
        } = Draft::of(prompt);
        messages.check()?;
        check_facts(&FAMILY, &messages)?;
        let sections = self.sections(Written {
            messages: &messages,
            extras: &extras,
        })?;
        let (mut system, mut user) = (Text::new(), Text::new());
        system.push_own(&self.keys.system);
        if !system.is_empty() {
            system.push_template("\n");
        }
        self.write_instruction(sections, &mut system);
        self.write_user(sections, &mut user);
        let mut laid = Messages::from([Message::system(system), Message::user(user)]);
        laid.tools_mut().append(messages.tools_mut());
        Ok(laid)
    }

    /// The parts of a conversation, where it has none that Alpaca cannot say.
    fn sections<'a, T: Talk<'a>>(&self, talk: T) -> Result<Sections<T>> {
        let sections = Sections::of(talk);
        if let Some(turn) = sections.history().next() {
            let help = "give one system and one user message";
            let turn = (turn.0, turn.1.role());
            return Err(unsupported(&FAMILY, turn, "is one message too many", help));
        }
        let mut said = sections.current().filter(|turn| !turn.1.is_blank());
        match said.next() {
            Some(turn) if !self.roles => {
                let help = "put it into the system message or an `#[prompt(extra)]` field, or use `Alpaca::with_roles`";
                Err(unsupported(
                    &FAMILY,
                    (turn.0, turn.1.role()),
                    "stands beside the instruction",
                    help,
                ))
            }
            _ => Ok(sections),
        }
    }

    fn write_instruction<'a>(&self, sections: Sections<impl Talk<'a>>, page: &mut impl Page) {
        page.words(INTRODUCTION);
        if let Some(instruction) = sections.instruction() {
            page.said(instruction);
        }
        if !self.roles {
            page.words("\n\n");
            sections.write_extras(page);
        }
    }

    fn write_user<'a>(&self, sections: Sections<impl Talk<'a>>, page: &mut impl Page) {
        sections.current().for_each(|turn| page.said(turn.1));
        if self.roles && sections.has_extras() {
            page.words("\n\n");
            sections.write_extras(page);
        }
    }

    fn write_all(&self, messages: &Messages, extras: &[Extra], out: &mut Wrapped) -> Result<()> {
        check_facts(&FAMILY, messages)?;
        write_labelled(out, "", |wrapping, page| {
            self.write_sections(Written { messages, extras }, wrapping, page)
        })
    }
}

/// What its control tokens begin with.
static FIRSTS: Firsts = Firsts::of(FAMILY.tokens, FAMILY.loose);

impl Layout for Alpaca {
    fn write_sections<'a>(
        &self,
        talk: impl Talk<'a>,
        wrapping: &Wrapping,
        page: &mut impl Page,
    ) -> Result<()> {
        let sections = self.sections(talk)?;
        sections.reserve(self.keys.system.len(), page);
        page.words(&self.keys.system);
        page.structure("\n");
        page.message(sections.is_instructed.then_some(0));
        self.write_instruction(sections, page);
        page.message(None);
        write_calling(sections.tools(), &self.keys, page)?;
        page.structure("\n");
        write_tools(sections.tools(), page)?;
        page.structure("\n");
        let user = sections.current().find(|turn| turn.1.role() == Role::User);
        page.message(user.map(|turn| turn.0));
        self.write_user(sections, page);
        page.message(None);
        if wrapping.generation_prompt || wrapping.label.is_some() {
            page.structure("### Response:\n");
        }
        Ok(())
    }

    fn firsts(&self) -> &Firsts {
        &FIRSTS
    }

    fn is_open(&self) -> bool {
        false
    }

    fn stands_at(&self) -> impl Fn(&str, usize, usize) -> bool {
        |text, at, behind| guard::stands_at(text, at, behind, FAMILY.tokens, FAMILY.loose)
    }
}

impl ChatFormat for Alpaca {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn guarded(&self, out: Wrapped) -> Result<Wrapped> {
        guard::apply_from(out, &FIRSTS, || FAMILY.tokens.to_vec(), &FAMILY)
    }

    fn framed(&self, messages: &Messages, extras: &[Extra], wrapping: &Wrapping) -> Option<String> {
        check_facts(&FAMILY, messages).ok()?;
        text_alone(self, Written { messages, extras }, wrapping)
    }

    fn sketched(
        &self,
        wrapping: &Wrapping,
        sketch: &mut dyn FnMut() -> Option<Sketch>,
    ) -> Option<String> {
        text_alone(self, &sketch()?, wrapping)
    }

    fn write(&self, messages: &Messages, out: &mut Wrapped) -> Result<()> {
        self.write_all(messages, &[], out)
    }

    fn write_draft(&self, draft: Draft, out: &mut Wrapped) -> Result<()> {
        self.write_all(&draft.messages, &draft.extras, out)
    }
}
