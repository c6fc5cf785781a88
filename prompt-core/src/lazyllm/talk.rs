//! What a prompt says, as LazyLLM sees it: message by message, or as words alone.

use crate::format::page::Value;
use crate::write::sketch::{Said, Sketch};
use crate::{Extra, Messages, Result, Role, Text, Tool};

/// A conversation: perhaps an instruction, which is the first message if that is the system's; what was said before the
/// current turn; and that turn, which is the user's message at the end, or the results of tools there.
pub(super) trait Talk<'a> {
    /// The instruction: it may be there and say nothing.
    fn instruction(&self) -> Option<Said<'a>>;

    /// Shows what was said before the current turn.
    fn each_before(&self, show: impl FnMut(Turn<'a>) -> Result<()>) -> Result<()>;

    /// The current turn.
    fn current(&self) -> impl Iterator<Item = Turn<'a>>;

    /// The extra fields in order: their names, and what they hold.
    fn extras(&self) -> impl Iterator<Item = (&'static str, Value<'a>)>;

    /// What the model may use.
    fn tools(&self) -> &'a [Tool];

    /// How many messages there are.
    fn len(&self) -> usize;

    /// How many bytes all this has, of how many pieces of data.
    fn size(&self) -> (usize, usize);

    /// Whether tools have answered since the model spoke.
    fn has_results(&self) -> bool {
        self.current().any(|turn| turn.1.role() == Role::Tool)
    }

    fn has_extras(&self) -> bool {
        self.extras().next().is_some()
    }

    fn is_instructed(&self) -> bool {
        self.instruction().is_some()
    }
}

/// A message and its index.
pub(super) type Turn<'a> = (usize, Said<'a>);

/// Messages, and the extra fields apart from them.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    messages: &'a Messages,
    extras: &'a [Extra],
    is_instructed: bool,
    /// Where the current turn begins.
    current: usize,
}

impl<'a> Written<'a> {
    pub(super) fn of(messages: &'a Messages, extras: &'a [Extra]) -> Written<'a> {
        let first = messages.each().next();
        let is_instructed = first.is_some_and(|message| message.role == Role::System);
        let start = usize::from(is_instructed);
        let current = if messages.last().is_some_and(|it| it.role == Role::User) {
            messages.len() - 1
        } else {
            let turns = messages.each().enumerate().skip(start);
            let others = turns.filter(|turn| turn.1.role != Role::Tool);
            others.last().map_or(start, |turn| turn.0 + 1)
        };
        Written {
            messages,
            extras,
            is_instructed,
            current,
        }
    }
}

impl<'a> Talk<'a> for Written<'a> {
    fn instruction(&self) -> Option<Said<'a>> {
        let first = self.messages.each().next().filter(|_| self.is_instructed);
        first.map(Said::Message)
    }

    fn each_before(&self, mut show: impl FnMut(Turn<'a>) -> Result<()>) -> Result<()> {
        let turns = self.messages.each().enumerate().take(self.current);
        let mut turns = turns.skip(usize::from(self.is_instructed));
        turns.try_for_each(|(index, turn)| show((index, Said::Message(turn))))
    }

    fn current(&self) -> impl Iterator<Item = Turn<'a>> {
        let turns = self.messages.each().enumerate().skip(self.current);
        turns.map(|(index, message)| (index, Said::Message(message)))
    }

    fn extras(&self) -> impl Iterator<Item = (&'static str, Value<'a>)> {
        let extras = self.extras.iter();
        extras.map(|extra| (extra.name, Value::Text(&extra.value)))
    }

    fn tools(&self) -> &'a [Tool] {
        self.messages.tools()
    }

    fn len(&self) -> usize {
        self.messages.len()
    }

    fn size(&self) -> (usize, usize) {
        let (mut bytes, mut data) = (0, 0);
        let mut add = |text: &Text| {
            bytes += text.as_str().len();
            data += text.data().len();
        };
        self.extras.iter().for_each(|extra| add(&extra.value));
        for message in self.messages.each() {
            message.texts().for_each(&mut add);
        }
        (bytes, data)
    }
}

/// Words alone, which no tool has said.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    sketch: Sketch<'a>,
    len: usize,
    instruction: Option<Said<'a>>,
    question: Option<Said<'a>>,
}

impl<'a> Words<'a> {
    pub(super) fn of(sketch: Sketch<'a>) -> Words<'a> {
        let of = |said: Option<Said<'a>>, role| said.filter(|said| said.role() == role);
        Words {
            sketch,
            len: sketch.len(),
            instruction: of(sketch.first(), Role::System),
            question: of(sketch.last(), Role::User),
        }
    }
}

impl<'a> Talk<'a> for Words<'a> {
    fn instruction(&self) -> Option<Said<'a>> {
        self.instruction
    }

    fn each_before(&self, mut show: impl FnMut(Turn<'a>) -> Result<()>) -> Result<()> {
        let start = usize::from(self.instruction.is_some());
        let end = self.len - usize::from(self.question.is_some());
        let turns = self.sketch.turns().skip(start);
        for turn in (start..end).zip(turns) {
            show(turn)?;
        }
        Ok(())
    }

    fn current(&self) -> impl Iterator<Item = Turn<'a>> {
        self.question.map(|said| (self.len - 1, said)).into_iter()
    }

    fn extras(&self) -> impl Iterator<Item = (&'static str, Value<'a>)> {
        let extras = self.sketch.extras();
        extras.map(|(name, words)| (name, Value::Words(words)))
    }

    fn tools(&self) -> &'a [Tool] {
        &[]
    }

    fn len(&self) -> usize {
        self.len
    }

    fn size(&self) -> (usize, usize) {
        (self.sketch.bytes(), 0)
    }
}
