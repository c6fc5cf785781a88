use std::borrow::Cow;

use crate::format::page::Page;
use crate::format::{ChatFormat, Family, Wrapping, check_facts, unsupported};
use crate::guard::{self, Firsts};
use crate::lazyllm::Keys;
use crate::lazyllm::sections::{
    INSTRUCTION, Layout, reserve, text_alone, write_calling, write_extras, write_labelled,
    write_tools,
};
use crate::lazyllm::talk::{Talk, Words, Written};
use crate::syntax::family::LAZYLLM_ALPACA as FAMILY;
use crate::write::sketch::Sketch;
use crate::{Draft, Extra, Message, Messages, Prompt, Result, Role, Text, Wrapped, Writer};

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alpaca {
    keys: Cow<'static, Keys>,
    roles: bool,
}

impl Default for Alpaca {
    fn default() -> Alpaca {
        Alpaca {
            keys: Cow::Borrowed(&Keys::NONE),
            roles: false,
        }
    }
}

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
        self.keys = Cow::Owned(keys);
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
        self.keys.to_mut().system = text.into();
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
        let talk = Written::of(&messages, &extras);
        self.check(&talk)?;
        let (mut system, mut user) = (Text::new(), Text::new());
        system.push_own(&self.keys.system);
        if !system.is_empty() {
            system.push_template("\n");
        }
        self.write_instruction(&talk, &mut system);
        self.write_user(&talk, &mut user);
        let mut laid = Messages::from([Message::system(system), Message::user(user)]);
        laid.tools_mut().append(messages.tools_mut());
        Ok(laid)
    }

    /// Refuses a conversation with parts that Alpaca cannot say.
    fn check<'a>(&self, talk: &impl Talk<'a>) -> Result<()> {
        talk.each_before(|(index, turn)| {
            let help = "give one system and one user message";
            let turn = (index, turn.role());
            Err(unsupported(&FAMILY, turn, "is one message too many", help))
        })?;
        let mut said = talk.current().filter(|turn| !turn.1.is_blank());
        match said.next() {
            Some((index, turn)) if !self.roles => {
                let what = "stands beside the instruction";
                let help = "put it into the system message or an `#[prompt(extra)]` field, or use `Alpaca::with_roles`";
                Err(unsupported(&FAMILY, (index, turn.role()), what, help))
            }
            _ => Ok(()),
        }
    }

    fn write_instruction<'a>(&self, talk: &impl Talk<'a>, page: &mut impl Page) {
        page.words(INSTRUCTION);
        if let Some(instruction) = talk.instruction() {
            page.said(instruction);
        }
        if !self.roles {
            page.words("\n\n");
            write_extras(talk, page);
        }
    }

    fn write_user<'a>(&self, talk: &impl Talk<'a>, page: &mut impl Page) {
        talk.current().for_each(|turn| page.said(turn.1));
        if self.roles && talk.has_extras() {
            page.words("\n\n");
            write_extras(talk, page);
        }
    }

    fn write_all(&self, messages: &Messages, extras: &[Extra], out: &mut Wrapped) -> Result<()> {
        check_facts(&FAMILY, messages)?;
        write_labelled(out, "", |wrapping, page| {
            self.write_sections(&Written::of(messages, extras), wrapping, page)
        })
    }
}

/// What its control tokens begin with.
static FIRSTS: Firsts = Firsts::of(FAMILY.tokens, FAMILY.loose);

impl Layout for Alpaca {
    #[inline]
    fn write_sections<'a>(
        &self,
        talk: &impl Talk<'a>,
        wrapping: &Wrapping,
        page: &mut impl Page,
    ) -> Result<()> {
        self.check(talk)?;
        reserve(talk, self.keys.system.len(), page);
        page.words(&self.keys.system);
        page.structure("\n");
        page.message(talk.is_instructed().then_some(0));
        self.write_instruction(talk, page);
        page.message(None);
        write_calling(talk.tools(), &self.keys, page)?;
        page.structure("\n");
        write_tools(talk.tools(), page)?;
        page.structure("\n");
        let user = talk.current().find(|turn| turn.1.role() == Role::User);
        page.message(user.map(|turn| turn.0));
        self.write_user(talk, page);
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
        text_alone(self, &Written::of(messages, extras), wrapping)
    }

    fn sketched(&self, wrapping: &Wrapping, render: &mut dyn FnMut(&mut Writer)) -> Option<String> {
        Sketch::of(render, |sketch| {
            text_alone(self, &Words::of(sketch), wrapping)
        })
    }

    fn write(&self, messages: &Messages, out: &mut Wrapped) -> Result<()> {
        self.write_all(messages, &[], out)
    }

    fn write_draft(&self, draft: Draft, out: &mut Wrapped) -> Result<()> {
        self.write_all(&draft.messages, &draft.extras, out)
    }
}
