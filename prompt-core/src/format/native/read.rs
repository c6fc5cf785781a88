//! Reading a family's text back: which role says what.

use super::Native;
use super::marks::{Head, Mark, Marks, Other};
use super::python::is_space;
use super::reader::Reader;
use crate::syntax::order::sort_by;
use crate::{ChatFormat, Error, ErrorKind, Message, Messages, Result, Role};

/// What a role says in a text, without the marks around it.
///
/// ```
/// use prompt_core::{Message, Role, format};
///
/// let turns = format::CHATML.read("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n")?;
/// assert_eq!((turns[0].role, turns[0].text), (Role::User, "Hi"));
/// assert_eq!(Message::from(turns[0]), Message::user("Hi"));
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spoken<'t> {
    /// Whose words they are.
    pub role: Role,
    /// The words. Tool calls stand in them as the family writes calls.
    pub text: &'t str,
    /// What the assistant thought before, where the family keeps that apart.
    pub reasoning: Option<&'t str>,
}

impl From<Spoken<'_>> for Message {
    fn from(spoken: Spoken<'_>) -> Message {
        let message = Message::new(spoken.role, spoken.text);
        message.with_reasoning(spoken.reasoning.unwrap_or_default())
    }
}

/// How a family's text is read.
#[derive(Default)]
pub(crate) struct Reading {
    /// What the text begins with, where that is no token that can be left out.
    pub(crate) start: &'static str,
    pub(crate) marks: Vec<ReadMark>,
    /// What stands around a role's name, and what closes such a turn.
    pub(crate) named: Option<(&'static str, &'static str, &'static str)>,
    /// Names of turns that are the format's own.
    pub(crate) unsaid: &'static [&'static str],
    /// What else closes turns.
    pub(crate) closes: &'static [&'static str],
    /// What stands before the first mark is the system's, with this after it.
    pub(crate) bare_system: Option<&'static str>,
    /// What stands around instructions inside the first user turn.
    pub(crate) system_in_user: Option<(&'static str, &'static str)>,
    /// What stands around each result of a tool, where several share a turn.
    pub(crate) results: Option<(&'static str, &'static str)>,
    /// What stands around reasoning at the start of the assistant's turn.
    pub(crate) thought: Option<(&'static str, &'static str)>,
}

/// What opens and closes a turn.
#[derive(Clone, Copy)]
pub(crate) struct ReadMark {
    /// Whose turn it is; nobody's, if the format itself speaks.
    pub(crate) role: Option<Role>,
    pub(crate) open: &'static str,
    /// What is written after the words. Where that is white space or nothing, the next turn ends this one.
    pub(crate) close: &'static str,
    /// What may stand between `open` and the words.
    pub(crate) lead: &'static str,
    /// Whether `open` ends the turn before too, so that it may open none: calls and results have marks of their own.
    pub(crate) shared: bool,
    /// Whether `open` belongs to the words.
    pub(crate) kept: bool,
}

impl ReadMark {
    pub(crate) const fn new(role: Role, open: &'static str, close: &'static str) -> ReadMark {
        ReadMark {
            role: Some(role),
            open,
            close,
            lead: "",
            shared: false,
            kept: false,
        }
    }

    /// Text of the format itself.
    pub(crate) const fn unsaid(open: &'static str, close: &'static str) -> ReadMark {
        ReadMark {
            role: None,
            ..ReadMark::new(Role::System, open, close)
        }
    }

    pub(crate) const fn lead(self, lead: &'static str) -> ReadMark {
        ReadMark { lead, ..self }
    }

    pub(crate) const fn shared(self) -> ReadMark {
        ReadMark {
            shared: true,
            ..self
        }
    }

    pub(crate) const fn kept(self) -> ReadMark {
        ReadMark { kept: true, ..self }
    }
}

impl Native {
    /// Reads a text of this family back: who says what, in order. For data in a model's own format, such as training
    /// rows.
    ///
    /// The start of an answer is no turn. What a family writes into a turn of its own accord (a date, a default system
    /// text, tools) stands in that turn's words; instructions that share the user's turn without a mark are the user's
    /// words.
    ///
    /// # Errors
    /// Text that stands in no turn, and a role that chat models do not have, with the place.
    ///
    /// ```
    /// use prompt_core::{Role, format};
    ///
    /// let text = "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi [/INST] Hello. </s><s>[INST] Bye [/INST]";
    /// let turns = format::LLAMA2.read(text)?;
    /// let turns: Vec<_> = turns.iter().map(|turn| (turn.role, turn.text)).collect();
    /// assert_eq!(
    ///     turns,
    ///     [(Role::System, "Be brief."), (Role::User, "Hi"), (Role::Assistant, "Hello."), (Role::User, "Bye")]
    /// );
    /// assert_eq!(
    ///     format::QWEN3.read("Hi").unwrap_err().message(),
    ///     "the text is not Qwen 3's: this stands in no turn"
    /// );
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn read<'t>(&self, text: &'t str) -> Result<Vec<Spoken<'t>>> {
        self.read_all(text)
    }

    /// Reads what a model of this family wrote after a text that this format made: its words, and what it thought.
    ///
    /// # Errors
    /// An answer that goes on with another's turn.
    ///
    /// ```
    /// use prompt_core::{Message, format};
    ///
    /// let answer = format::QWEN3.read_answer("<think>\nEasy.\n</think>\n\n4<|im_end|>")?;
    /// assert_eq!(answer, Message::assistant("4").with_reasoning("Easy."));
    /// let answer = format::GPT_OSS.read_answer(
    ///     "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>",
    /// )?;
    /// assert_eq!(answer, Message::assistant("4").with_reasoning("Easy."));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn read_answer(&self, answer: &str) -> Result<Message> {
        let format = self.clone().generation_prompt(true);
        let mut text = Messages::from([Message::user("?")]).to_text(format)?;
        let before = self.read_all(&text)?.len();
        text.push_str(answer);
        let turns = self.read_all(&text)?;
        match &turns[before.min(turns.len())..] {
            [] => Ok(Message::assistant("")),
            [turn] if turn.role == Role::Assistant => Ok(Message::from(*turn)),
            _ => Err(Error::new(
                ErrorKind::Output,
                format!(
                    "the answer goes on after the assistant's turn of {}",
                    self.family.title
                ),
            )
            .with_help("stop the model at the end of its turn")
            .with_answer(answer)),
        }
    }

    fn read_all<'t>(&self, text: &'t str) -> Result<Vec<Spoken<'t>>> {
        let mut reading = self.style.reading();
        let without = |mark: &ReadMark| {
            let open = mark.open.strip_prefix(self.bos)?;
            (!self.bos.is_empty() && !open.is_empty()).then_some(ReadMark { open, ..*mark })
        };
        let again: Vec<_> = reading.marks.iter().filter_map(without).collect();
        reading.marks.extend(again);
        // The longest first, so that a mark is not taken for its own beginning.
        sort_by(&mut reading.marks, |one, other| {
            other.open.len().cmp(&one.open.len())
        });
        Reader::new(self, reading, text).read()
    }
}

impl Marks {
    /// How a text of nothing but turns is read.
    pub(crate) fn read_marks(&self) -> Reading {
        let mut reading = Reading::default();
        let turns = [
            (Role::User, Some(self.user)),
            (Role::System, self.system),
            (Role::Assistant, Some(self.assistant)),
        ];
        for (role, mark) in turns
            .into_iter()
            .filter_map(|(role, mark)| Some((role, mark?)))
        {
            self.read_mark(role, mark, &mut reading);
        }
        match &self.head {
            Head::Before(mark) | Head::BeforeTurns(mark, _) => {
                self.read_mark(Role::System, *mark, &mut reading);
            }
            Head::InFirst { open, close, .. } if !open.is_empty() => {
                reading.system_in_user = Some((open, close));
            }
            _ => {}
        }
        if !self.answer.is_empty() {
            reading.marks.push(ReadMark::new(
                Role::Assistant,
                self.answer,
                self.assistant.close,
            ));
        }
        if let Other::Named {
            open,
            middle,
            close,
            ..
        } = self.other
        {
            reading.named = Some((open, middle, close));
        }
        reading
    }

    fn read_mark(&self, role: Role, mark: Mark, reading: &mut Reading) {
        let is_bare = mark.open.trim_matches(is_space).is_empty();
        match role {
            Role::System if is_bare => reading.bare_system = Some(mark.close),
            // What closes the user's turn opens the answer.
            Role::Assistant if is_bare => {
                let opened = ReadMark::new(role, self.user.close, mark.close);
                reading.marks.push(opened.lead(mark.open).shared());
            }
            Role::User if self.assistant.open.trim_matches(is_space).is_empty() => {
                reading.marks.push(ReadMark::new(role, mark.open, ""));
            }
            _ => reading
                .marks
                .push(ReadMark::new(role, mark.open, mark.close)),
        }
    }
}
