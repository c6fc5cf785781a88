//! A prompt's words and who says them: what a layout needs that writes text alone.

use std::sync::Arc;

use super::Kept;
use crate::{Error, ErrorKind, Message, Part, Role, Text, ToHistory, ToPrompt, ToolCall, Writer};

/// A prompt of words alone: all that it says itself in one text, and the turns that another keeps where these are.
///
/// A [`Draft`](crate::Draft) keeps each message apart, with what in it is data. This is made with one allocation, and serves
/// as long as no token stands in any words.
#[derive(Clone, Copy)]
pub(crate) struct Sketch<'a> {
    words: &'a str,
    stretches: &'a [Stretch],
}

/// The words up to `end`, from where those before end.
#[derive(Debug)]
pub(super) struct Stretch {
    what: What,
    end: usize,
}

impl Stretch {
    /// How many messages it is.
    fn len(&self) -> usize {
        match &self.what {
            What::Said(_) => 1,
            What::Extra(_) => 0,
            What::Turns(turns, _) => turns.len(),
        }
    }
}

/// Whose words they are.
#[derive(Debug)]
enum What {
    Said(Role),
    Extra(&'static str),
    /// No words here, but turns of so many bytes.
    Turns(Arc<Vec<Message>>, usize),
}

/// Stretches in order, which need no allocation where they are few.
#[derive(Debug)]
pub(super) struct Stretches {
    few: [Stretch; 4],
    /// How many of them are some.
    len: usize,
    /// All of them, where they are more.
    many: Vec<Stretch>,
}

impl Stretches {
    fn new() -> Stretches {
        Stretches {
            few: NONE,
            len: 0,
            many: Vec::new(),
        }
    }

    fn as_slice(&self) -> &[Stretch] {
        match self.many.is_empty() {
            true => &self.few[..self.len],
            false => &self.many,
        }
    }

    fn push(&mut self, stretch: Stretch) {
        if self.many.is_empty() {
            if let Some(place) = self.few.get_mut(self.len) {
                *place = stretch;
                self.len += 1;
                return;
            }
            self.many.extend(std::mem::replace(&mut self.few, NONE));
        }
        self.many.push(stretch);
    }
}

/// No stretches.
const NONE: [Stretch; 4] = {
    const NONE: Stretch = Stretch {
        what: What::Said(Role::User),
        end: 0,
    };
    [NONE; 4]
};

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

    /// Whether it has no parts.
    pub(crate) fn is_empty(self) -> bool {
        match self {
            Said::Message(message) => message.parts.is_empty(),
            Said::Words(_, words) => words.is_empty(),
        }
    }

    /// Whether its texts say nothing.
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

/// How many bytes of words there is room for at first.
const ROOM: usize = 512;

impl<'a> Sketch<'a> {
    /// Shows what is written, unless it is more than words: with media, tools, their calls and results, or something that could
    /// not be written.
    pub(crate) fn of<T>(
        render: &mut dyn FnMut(&mut Writer),
        show: impl FnOnce(Sketch<'_>) -> Option<T>,
    ) -> Option<T> {
        let mut out = Writer {
            text: Text::of_own(String::with_capacity(ROOM)),
            kept: Kept::Sketch(Stretches::new()),
            ..Writer::default()
        };
        render(&mut out);
        out.end_stretch();
        let is_written = out.messages.fault().is_none();
        let stretches = out.stretches().filter(|_| is_written);
        let shown = stretches.and_then(|stretches| {
            show(Sketch {
                words: out.text.as_str(),
                stretches: stretches.as_slice(),
            })
        });
        drop((out.text.take_words(), std::mem::take(&mut out.kept)));
        if out.holds_nothing() {
            std::mem::forget(out);
        }
        shown
    }

    /// How many messages there are.
    pub(crate) fn len(self) -> usize {
        self.stretches.iter().map(Stretch::len).sum()
    }

    /// How many bytes all words have.
    pub(crate) fn bytes(self) -> usize {
        let of_turns = |stretch: &Stretch| match stretch.what {
            What::Turns(_, bytes) => bytes,
            What::Said(_) | What::Extra(_) => 0,
        };
        self.words.len() + self.stretches.iter().map(of_turns).sum::<usize>()
    }

    /// The first message.
    pub(crate) fn first(self) -> Option<Said<'a>> {
        let mut stretches = self.stretches.iter().enumerate();
        stretches.find_map(|(at, stretch)| self.said(at, stretch, |turns| turns.first()))
    }

    /// The last message.
    pub(crate) fn last(self) -> Option<Said<'a>> {
        let mut stretches = self.stretches.iter().enumerate().rev();
        stretches.find_map(|(at, stretch)| self.said(at, stretch, |turns| turns.last()))
    }

    /// What is said in a stretch, or one of the turns that stand there.
    fn said(
        self,
        at: usize,
        stretch: &'a Stretch,
        one: impl FnOnce(&'a [Message]) -> Option<&'a Message>,
    ) -> Option<Said<'a>> {
        match &stretch.what {
            What::Said(role) => Some(Said::Words(*role, self.words_at(at))),
            What::Extra(_) => None,
            What::Turns(turns, _) => one(turns).map(Said::Message),
        }
    }

    /// The messages in order.
    pub(crate) fn turns(self) -> Turns<'a> {
        Turns {
            shared: [].iter(),
            sketch: self,
            at: 0,
        }
    }

    /// The words of one of the stretches.
    fn words_at(self, at: usize) -> &'a str {
        let start = match at {
            0 => 0,
            _ => self.stretches[at - 1].end,
        };
        &self.words[start..self.stretches[at].end]
    }

    /// The extra fields in order: their names, and what they hold.
    pub(crate) fn extras(self) -> impl Iterator<Item = (&'static str, &'a str)> {
        let stretches = self.stretches.iter().enumerate();
        stretches.filter_map(move |(at, stretch)| match stretch.what {
            What::Extra(name) => Some((name, self.words_at(at))),
            What::Said(_) | What::Turns(..) => None,
        })
    }
}

/// Goes through the messages of a sketch.
#[derive(Clone)]
pub(crate) struct Turns<'a> {
    /// What is left of turns that another keeps.
    shared: std::slice::Iter<'a, Message>,
    sketch: Sketch<'a>,
    /// The next stretch.
    at: usize,
}

impl<'a> Iterator for Turns<'a> {
    type Item = Said<'a>;

    #[inline]
    fn next(&mut self) -> Option<Said<'a>> {
        match self.shared.next() {
            Some(turn) => Some(Said::Message(turn)),
            None => self.advance(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let behind = self.sketch.stretches.get(self.at..).unwrap_or_default();
        let len = self.shared.len() + behind.iter().map(Stretch::len).sum::<usize>();
        (len, Some(len))
    }

    fn fold<B, F: FnMut(B, Said<'a>) -> B>(mut self, init: B, mut f: F) -> B {
        let mut all = self.shared.map(Said::Message).fold(init, &mut f);
        self.shared = [].iter();
        while let Some(said) = self.advance() {
            all = f(all, said);
            let rest = std::mem::take(&mut self.shared);
            all = rest.map(Said::Message).fold(all, &mut f);
        }
        all
    }
}

impl ExactSizeIterator for Turns<'_> {}

impl<'a> Turns<'a> {
    /// The first message of the next stretch that has one.
    fn advance(&mut self) -> Option<Said<'a>> {
        loop {
            let (at, sketch) = (self.at, self.sketch);
            self.at += 1;
            match &sketch.stretches.get(at)?.what {
                What::Said(role) => return Some(Said::Words(*role, sketch.words_at(at))),
                What::Extra(_) => {}
                What::Turns(turns, _) => {
                    self.shared = turns.iter();
                    return self.shared.next().map(Said::Message);
                }
            }
        }
    }
}

impl Writer {
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
        if self.slot.is_some() {
            return self.give_up();
        }
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
        let last = self.stretches().and_then(|all| all.as_slice().last());
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

    fn stretches(&self) -> Option<&Stretches> {
        match &self.kept {
            Kept::Sketch(stretches) => Some(stretches),
            Kept::Messages | Kept::Words(_) => None,
        }
    }

    fn add_stretch(&mut self, what: What) {
        let end = self.text.as_str().len();
        if let Kept::Sketch(stretches) = &mut self.kept {
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
        if turn.role == Role::Tool || turn.says_more() {
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
