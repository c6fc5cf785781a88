mod layout;

use std::borrow::Cow;

use crate::format::{ChatFormat, Family, Wrapping, check_facts};
use crate::guard;
use crate::lazyllm::Keys;
use crate::lazyllm::keys::Tokens;
use crate::lazyllm::sections::{Layout, text_alone, write_labelled};
use crate::lazyllm::talk::{Talk, Words, Written};
use crate::syntax::family::LAZYLLM_CHAT as FAMILY;
use crate::write::sketch::{Sketch, bytes_of};
use crate::{
    Draft, Extra, History, Message, Messages, Prompt, Result, Text, ToHistory, Wrapped, Writer,
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
    /// What is known of the keys' control tokens.
    tokens: Tokens,
    roles: bool,
    enable_system: bool,
    skills: Text,
    history: History,
}

impl Default for Chat {
    fn default() -> Chat {
        Chat {
            keys: Keys::default(),
            tokens: Tokens::NONE,
            roles: false,
            enable_system: true,
            skills: Text::new(),
            history: History::new(),
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
        self.tokens = Tokens::of(&keys);
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
        self.tokens = Tokens::of(&self.keys);
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
        let Draft {
            mut messages,
            extras,
        } = Draft::of(prompt);
        messages.check()?;
        let talk = Written::of(&messages, &extras);
        let (mut instruction, mut appendix) = (Text::new(), Text::new());
        self.write_instruction(&talk, &mut instruction);
        self.write_appendix(&talk, &mut appendix);
        let mut laid = Messages::new();
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
            // LazyLLM sends it also where nothing is said in it.
            laid.push(Message::system(system));
        }
        let turns = messages.each().skip(usize::from(talk.is_instructed()));
        laid.extend(self.history.iter().chain(turns).cloned());
        if talk.current().next().is_none() {
            laid.push(Message::user(Text::new()));
        }
        if let Some(last) = laid.iter_mut().next_back().filter(|_| !appendix.is_empty()) {
            last.push_text(&appendix);
        }
        laid.tools_mut().append(messages.tools_mut());
        Ok(laid)
    }

    /// Refuses what the layout cannot say.
    fn check(&self, messages: &Messages) -> Result<()> {
        check_facts(&FAMILY, messages)?;
        let mut before = Messages::new();
        self.history.add_to(&mut before)?;
        check_facts(&FAMILY, &before)
    }

    fn write_all(&self, messages: &Messages, extras: &[Extra], out: &mut Wrapped) -> Result<()> {
        self.check(messages)?;
        write_labelled(out, &self.keys.eoa, |wrapping, page| {
            self.write_sections(&Written::of(messages, extras), wrapping, page)
        })
    }
}

impl ChatFormat for Chat {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn tokens(&self) -> Vec<&str> {
        self.keys.tokens()
    }

    fn guarded(&self, out: Wrapped) -> Result<Wrapped> {
        guard::apply_from(out, &self.tokens.firsts, || self.keys.tokens(), &FAMILY)
    }

    fn framed(&self, messages: &Messages, extras: &[Extra], wrapping: &Wrapping) -> Option<String> {
        self.check(messages).ok()?;
        text_alone(self, &Written::of(messages, extras), wrapping)
    }

    fn sketched(&self, wrapping: &Wrapping, render: &mut dyn FnMut(&mut Writer)) -> Option<String> {
        bytes_of(self.history.iter().as_slice())?;
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
