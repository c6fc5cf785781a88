//! A prompt's words and who says them: what a layout needs that writes text alone.

use std::sync::Arc;

use crate::{
    Error, ErrorKind, Message, Part, Prompt, Role, Text, ToHistory, ToPrompt, ToolCall, Writer,
};

/// A prompt of words alone: all that it says itself in one text, and the turns that another keeps where these are.
///
/// A [`Draft`](crate::Draft) keeps each message apart, with what in it is data. This is made with two allocations, and
/// serves as long as no token stands in any words.
pub struct Sketch {
    words: String,
    stretches: Vec<Stretch>,
}

/// The words up to `end`, from where those before end.
#[derive(Debug)]
pub(super) struct Stretch {
    what: What,
    end: usize,
}

/// Whose words they are.
#[derive(Debug)]
enum What {
    Said(Role),
    Extra(&'static str),
    /// No words here, but turns of so many bytes.
    Turns(Arc<Vec<Message>>, usize),
}

/// A message: one that another keeps, or words.
#[derive(Clone, Copy)]
pub(crate) enum Said<'a> {
    Message(&'a Message),
    Words(Role, &'a str),
}

impl<'a> Said<'a> {
    pub(crate) fn role(self) -> Role {
        match self {
            Said::Message(message) => message.role,
            Said::Words(role, _) => role,
        }
    }

    /// Whether it has no text at all.
    pub(crate) fn is_empty(self) -> bool {
        match self {
            Said::Message(message) => message.parts.is_empty(),
            Said::Words(_, words) => words.is_empty(),
        }
    }

    /// Whether its text has no letter.
    pub(crate) fn is_blank(self) -> bool {
        match self {
            Said::Message(message) => message.text().is_empty(),
            Said::Words(_, words) => words.is_empty(),
        }
    }

    pub(crate) fn tool_calls(self) -> &'a [ToolCall] {
        match self {
            Said::Message(message) => &message.tool_calls,
            Said::Words(..) => &[],
        }
    }
}

/// How many bytes of words there is room for at first, and how many messages, fields and histories.
const ROOM: (usize, usize) = (512, 8);

impl Sketch {
    /// `None` for a prompt of more than words: with media, tools, their calls and results, or something that could not be
    /// written.
    pub fn of<P: Prompt + ?Sized>(prompt: &P) -> Option<Sketch> {
        let mut out = Writer::sketching();
        prompt.render(&mut out);
        out.finish_sketch()
    }

    /// How many messages there are.
    pub(crate) fn len(&self) -> usize {
        let len = |stretch: &Stretch| match &stretch.what {
            What::Said(_) => 1,
            What::Extra(_) => 0,
            What::Turns(turns, _) => turns.len(),
        };
        self.stretches.iter().map(len).sum()
    }

    /// How many bytes all words have.
    pub(crate) fn bytes(&self) -> usize {
        let of_turns = |stretch: &Stretch| match stretch.what {
            What::Turns(_, bytes) => bytes,
            What::Said(_) | What::Extra(_) => 0,
        };
        self.words.len() + self.stretches.iter().map(of_turns).sum::<usize>()
    }

    /// The messages in order.
    pub(crate) fn turns(&self) -> Turns<'_> {
        Turns {
            words: &self.words,
            start: 0,
            stretches: self.stretches.iter(),
            shared: [].iter(),
        }
    }

    /// The role of the last message.
    pub(crate) fn last_role(&self) -> Option<Role> {
        let role = |stretch: &Stretch| match &stretch.what {
            What::Said(role) => Some(*role),
            What::Extra(_) => None,
            What::Turns(turns, _) => turns.last().map(|turn| turn.role),
        };
        self.stretches.iter().rev().find_map(role)
    }

    /// The extra fields in order: their names, and what they hold.
    pub(crate) fn extras(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let mut start = 0;
        self.stretches.iter().filter_map(move |stretch| {
            let from = std::mem::replace(&mut start, stretch.end);
            match stretch.what {
                What::Extra(name) => Some((name, &self.words[from..stretch.end])),
                What::Said(_) | What::Turns(..) => None,
            }
        })
    }
}

/// Goes through the messages of a sketch.
pub(crate) struct Turns<'a> {
    words: &'a str,
    start: usize,
    stretches: std::slice::Iter<'a, Stretch>,
    /// What is left of turns that another keeps.
    shared: std::slice::Iter<'a, Message>,
}

impl<'a> Iterator for Turns<'a> {
    type Item = Said<'a>;

    #[inline]
    fn next(&mut self) -> Option<Said<'a>> {
        loop {
            if let Some(turn) = self.shared.next() {
                return Some(Said::Message(turn));
            }
            let stretch = self.stretches.next()?;
            let start = std::mem::replace(&mut self.start, stretch.end);
            match &stretch.what {
                What::Said(role) => {
                    return Some(Said::Words(*role, &self.words[start..stretch.end]));
                }
                What::Extra(_) => {}
                What::Turns(turns, _) => self.shared = turns.iter(),
            }
        }
    }

    fn nth(&mut self, mut index: usize) -> Option<Said<'a>> {
        loop {
            if index < self.shared.len() {
                return self.shared.nth(index).map(Said::Message);
            }
            index -= self.shared.len();
            self.shared = [].iter();
            let said = self.next()?;
            if index == 0 {
                return Some(said);
            }
            index -= 1;
        }
    }
}

impl Writer {
    /// A writer of words alone, which remembers who says them.
    fn sketching() -> Writer {
        Writer {
            plain: Some(0),
            text: Text::of_own(String::with_capacity(ROOM.0)),
            sketch: Some(Vec::with_capacity(ROOM.1)),
            ..Writer::default()
        }
    }

    fn finish_sketch(mut self) -> Option<Sketch> {
        self.end_stretch();
        let is_written = self.messages.fault().is_none();
        let sketch = self.sketch.take().filter(|_| is_written);
        let sketch = sketch.map(|stretches| Sketch {
            words: self.text.take_words(),
            stretches,
        });
        if self.holds_nothing() {
            std::mem::forget(self);
        }
        sketch
    }

    /// Opens a message.
    pub(super) fn sketch_role(&mut self, role: Role) {
        self.end_stretch();
        self.role = Some(role);
        if role == Role::Tool {
            self.give_up();
        }
    }

    /// Writes an extra field, which ends the message before it.
    pub(super) fn sketch_extra(&mut self, name: &'static str, value: &dyn ToPrompt) {
        self.end_stretch();
        self.slot(name, value);
        self.add_stretch(What::Extra(name));
    }

    /// Puts turns here that say words and nothing else.
    pub(super) fn sketch_history(&mut self, history: &dyn ToHistory) {
        self.end_stretch();
        let turns = match history.shared() {
            Ok(turns) => turns,
            Err(error) => return self.fail(error),
        };
        match bytes_of(&turns) {
            _ if turns.is_empty() => {}
            Some(bytes) => self.add_stretch(What::Turns(turns, bytes)),
            None => self.give_up(),
        }
    }

    /// Ends the message that is open, as [`Writer::close`] does.
    fn end_stretch(&mut self) {
        let last = self.sketch.as_deref().and_then(<[_]>::last);
        let is_bare = last.map_or(0, |last| last.end) == self.text.as_str().len();
        let is_behind_field = last.is_some_and(|last| matches!(last.what, What::Extra(_)));
        match self.role.take() {
            Some(role) => self.add_stretch(What::Said(role)),
            None if is_bare => {}
            // Such words would go on with the message before the field.
            None if is_behind_field => self.give_up(),
            None => self.add_stretch(What::Said(Role::User)),
        }
    }

    fn add_stretch(&mut self, what: What) {
        let end = self.text.as_str().len();
        if let Some(stretches) = &mut self.sketch {
            stretches.push(Stretch { what, end });
        }
    }

    /// There is more than a sketch can say.
    #[cold]
    pub(super) fn give_up(&mut self) {
        self.fail(Error::new(ErrorKind::Unsupported, "more than words"));
    }
}

/// How many bytes turns say, if they say words and nothing else.
pub(crate) fn bytes_of(turns: &[Message]) -> Option<usize> {
    let mut bytes = 0;
    for turn in turns {
        let has_more = (turn.role == Role::Tool)
            | !turn.tool_calls.is_empty()
            | turn.tool_call_id.is_some()
            | turn.name.is_some()
            | turn.reasoning.is_some();
        if has_more {
            return None;
        }
        for part in &turn.parts {
            let Part::Text(text) = part else {
                return None;
            };
            bytes += text.as_str().len();
        }
    }
    Some(bytes)
}
