use crate::format::{ChatFormat, Family, Order, check, unsupported};
use crate::{Error, Message, Messages, Result, Role, Wrapped};

/// A family that writes each message between two marks of its role. All of it is data: a new family is a new constant.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt};
/// use prompt_core::format::{Family, Mark, System, Turns};
///
/// const MINE: Turns = Turns {
///     family: &Family {
///         name: "mine",
///         title: "Mine",
///         tokens: &["U: ", "A: "],
///         history: true,
///         ..Family::BARE
///     },
///     also_named: &[],
///     bos: "",
///     bos_each_turn: false,
///     system: System::None,
///     user: Mark("U: ", "\n"),
///     assistant: Mark("A: ", "\n"),
///     tool: None,
///     answer: "A:",
///     stop: "\n",
///     strip: false,
/// };
/// let ask = Messages::from([Message::user("Hi"), Message::assistant("Hello"), Message::user("Bye")]);
/// assert_eq!(ask.to_text(MINE)?, "U: Hi\nA: Hello\nU: Bye\nA:");
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// What is known about the family without a conversation.
    pub family: &'static Family,
    /// Other names under which it is found.
    pub also_named: &'static [&'static str],
    /// The token that begins a text.
    pub bos: &'static str,
    /// Whether `bos` begins every user turn, not the text only.
    pub bos_each_turn: bool,
    /// Where instructions stand.
    pub system: System,
    /// Around what the user says.
    pub user: Mark,
    /// Around what the assistant says.
    pub assistant: Mark,
    /// Around a tool's result.
    pub tool: Option<Mark>,
    /// What the text ends in where the model is to answer.
    pub answer: &'static str,
    /// The token that ends an answer: a label may end in it.
    pub stop: &'static str,
    /// Whether white space at both ends of a message is taken off.
    pub strip: bool,
}

/// What stands before and after a message.
///
/// ```
/// use prompt_core::format::Mark;
///
/// let Mark(before, after) = Mark("[INST] ", " [/INST]");
/// assert_eq!([before, "Hi", after].concat(), "[INST] Hi [/INST]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mark(pub &'static str, pub &'static str);

/// Where a family puts instructions.
///
/// ```
/// use prompt_core::format::{Mark, System};
///
/// let llama2 = System::FirstUser(Mark("<<SYS>>\n", "\n<</SYS>>\n\n"));
/// assert_ne!(llama2, System::None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum System {
    /// Nowhere.
    None,
    /// In a turn of their own.
    Turn(Mark),
    /// In front of the first user message, inside its turn.
    FirstUser(Mark),
}

impl ChatFormat for Turns {
    fn family(&self) -> &'static Family {
        self.family
    }

    fn also_named(&self) -> &'static [&'static str] {
        self.also_named
    }

    fn write(&self, messages: &Messages, out: &mut Wrapped) -> Result<()> {
        check(self.family, messages, out.options())?;
        if self.family.order == Order::Alternate {
            self.check_order(messages)?;
        }
        self.write_turns(messages, out)?;
        self.write_end(messages, out);
        Ok(())
    }
}

impl Turns {
    fn write_turns(&self, messages: &Messages, out: &mut Wrapped) -> Result<()> {
        let mut texts = 0;
        for message in messages.each() {
            for text in message.texts() {
                texts += text.as_str().len();
            }
        }
        out.reserve(
            texts + (messages.len() + 2) * self.longest_mark(),
            3 * messages.len() + 2,
        );
        let mut first = true;
        let mut system = None;
        for (index, message) in messages.each().enumerate() {
            out.message(index);
            let mark = match (message.role, self.system) {
                (Role::System, System::Turn(mark)) => mark,
                (Role::System, System::FirstUser(_)) if index == 0 && messages.len() > 1 => {
                    system = Some(message);
                    continue;
                }
                (Role::System, _) => {
                    return Err(self.cannot(index, message, "holds instructions here"));
                }
                (Role::User, _) => self.user,
                (Role::Assistant, _) => self.assistant,
                (Role::Tool, _) => self
                    .tool
                    .ok_or_else(|| self.cannot(index, message, "is a tool's result"))?,
            };
            let begins = if self.bos_each_turn {
                message.role == Role::User
            } else {
                first
            };
            if begins && (!first || out.options().bos) {
                out.structure(self.bos);
            }
            first = false;
            self.write_message(mark, system.take(), message, out);
        }
        Ok(())
    }

    fn longest_mark(&self) -> usize {
        let system = match self.system {
            System::Turn(mark) | System::FirstUser(mark) => mark,
            System::None => Mark("", ""),
        };
        let length = |mark: Mark| mark.0.len() + mark.1.len();
        let turns = length(system)
            .max(length(self.user))
            .max(length(self.assistant));
        self.bos.len() + turns.max(self.answer.len())
    }

    fn write_message(
        &self,
        mark: Mark,
        system: Option<&Message>,
        message: &Message,
        out: &mut Wrapped,
    ) {
        out.structure(mark.0);
        let start = out.as_str().len();
        let text = message.whole_text();
        match (system, self.system) {
            (Some(system), System::FirstUser(around)) => {
                out.structure(around.0);
                out.text(&system.whole_text());
                out.structure(around.1);
                out.text(&text);
                if self.strip {
                    out.strip_end(start);
                }
            }
            _ if self.strip => out.text(&text.strip()),
            _ => out.text(&text),
        }
        out.structure(mark.1);
    }

    fn write_end(&self, messages: &Messages, out: &mut Wrapped) {
        out.message(None);
        let answered = messages
            .last()
            .is_some_and(|last| last.role == Role::Assistant);
        match out.options().label.clone() {
            Some(label) => {
                out.structure(self.assistant.0);
                out.label(&label, self.stop);
            }
            None if out.options().generation_prompt && !answered => out.structure(self.answer),
            None => {}
        }
    }

    fn check_order(&self, messages: &Messages) -> Result<()> {
        let mut expected = Role::User;
        for (index, message) in messages.each().enumerate() {
            if index == 0 && message.role == Role::System {
                if messages.len() == 1 {
                    let help = "add a user message";
                    return Err(unsupported(
                        self.family,
                        (index, message.role),
                        "stands alone",
                        help,
                    ));
                }
                continue;
            }
            if message.role != expected {
                let what = format!("stands where the {expected} speaks");
                let help = "let user and assistant speak in turn, after one system message at most";
                return Err(unsupported(self.family, (index, message.role), &what, help));
            }
            expected = if expected == Role::User {
                Role::Assistant
            } else {
                Role::User
            };
        }
        Ok(())
    }

    fn cannot(&self, index: usize, message: &Message, what: &str) -> Error {
        unsupported(
            self.family,
            (index, message.role),
            what,
            "use a chat format with a place for it, such as `chatml`",
        )
    }
}
