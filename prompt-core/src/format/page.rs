//! What a layout writes on: one writer of a layout serves whoever asks for its text, and whoever asks for what each piece is.

use std::ops::Range;

use crate::guard::{Firsts, Guard};
use crate::write::sketch::Said;
use crate::{Part, Source, Text, Wrapped, room};

/// What a layout writes: a message, the text alone, or the text with what each piece of it is.
pub(crate) trait Page {
    /// Makes room for so many bytes more, of so many pieces of data.
    fn reserve(&mut self, bytes: usize, data: usize);

    /// Says which message the next pieces belong to.
    fn message(&mut self, index: Option<usize>);

    /// The marks of the format.
    fn structure(&mut self, text: &str);

    /// The layout's own words.
    fn words(&mut self, words: &str);

    /// Data of a slot, or of none.
    fn data(&mut self, slot: Option<&'static str>, data: &str);

    /// A text with what in it is data; what is data of no slot is data of this one.
    fn text(&mut self, slot: Option<&'static str>, text: &Text);

    /// What stands before a turn: the end of the one before it, and the start of that at `index`; or both of them joined.
    fn between<'a>(
        &mut self,
        apart: impl FnOnce() -> [&'a str; 2],
        _joined: Mark<'_>,
        index: Option<usize>,
    ) {
        let [end, start] = apart();
        self.structure(end);
        self.message(index);
        self.structure(start);
    }

    /// What a turn says, behind that.
    fn turn(&mut self, said: Said<'_>) {
        self.said(said);
    }

    /// What a field holds.
    fn value(&mut self, value: Value<'_>) {
        match value {
            Value::Text(text) => self.text(None, text),
            Value::Words(words) => self.data(None, words),
        }
    }

    /// All texts of a message.
    fn said(&mut self, said: Said<'_>) {
        match said {
            Said::Message(message) => message.texts().for_each(|text| self.text(None, text)),
            Said::Words(_, words) => self.data(None, words),
        }
    }
}

/// A text before a turn.
#[derive(Clone, Copy)]
pub(crate) struct Mark<'a> {
    pub(crate) text: &'a str,
    /// How many of its bytes a token can begin with.
    pub(crate) firsts: usize,
}

/// What a field holds: with what in it is data, or words alone.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Text(&'a Text),
    Words(&'a str),
}

impl Page for Text {
    fn reserve(&mut self, bytes: usize, data: usize) {
        Text::reserve(self, bytes, data);
    }

    fn message(&mut self, _: Option<usize>) {}

    fn structure(&mut self, text: &str) {
        self.push_own(text);
    }

    fn words(&mut self, words: &str) {
        self.push_own(words);
    }

    fn data(&mut self, slot: Option<&'static str>, data: &str) {
        self.push_data(slot, data);
    }

    fn text(&mut self, slot: Option<&'static str>, text: &Text) {
        self.push_in(slot, text);
    }
}

impl Page for Wrapped {
    fn reserve(&mut self, bytes: usize, data: usize) {
        // As many pieces stand between them.
        Wrapped::reserve(self, bytes, 2 * data);
    }

    fn message(&mut self, index: Option<usize>) {
        Wrapped::message(self, index);
    }

    fn structure(&mut self, text: &str) {
        Wrapped::structure(self, text);
    }

    fn words(&mut self, words: &str) {
        self.push(words, Source::Template);
    }

    fn data(&mut self, slot: Option<&'static str>, data: &str) {
        self.push(data, Source::Data(slot));
    }

    fn text(&mut self, slot: Option<&'static str>, text: &Text) {
        for (piece, source) in text.pieces() {
            self.push(
                piece,
                match source {
                    Source::Data(of) => Source::Data(of.or(slot)),
                    other => other,
                },
            );
        }
    }
}

/// The text alone, and whether a token may stand in what is neither the marks' nor the layout's: then a page that knows where
/// data stands has to be asked.
pub(crate) struct Sheet<'f> {
    text: String,
    firsts: &'f Firsts,
    is_guarded: bool,
    is_suspect: bool,
    /// Turns that are not searched yet, and how many bytes of the marks in them a token can begin with.
    turns: Range<usize>,
    expected: usize,
}

/// Words of fewer bytes are searched together with those of the turns beside them.
const SHORT: usize = 256;

impl<'f> Sheet<'f> {
    /// `is_open` says whether a token could begin in marks or the layout's words, and end in what is searched.
    pub(crate) fn new(guard: Guard, firsts: &'f Firsts, is_open: bool) -> Sheet<'f> {
        let is_guarded = guard != Guard::Allow;
        Sheet {
            text: String::new(),
            firsts,
            is_guarded,
            is_suspect: is_guarded && is_open,
            turns: 0..0,
            expected: 0,
        }
    }

    /// The text, if no token can stand in what was searched.
    pub(crate) fn finish(mut self) -> Option<String> {
        self.search_turns();
        (!self.is_suspect).then_some(self.text)
    }

    fn search_turns(&mut self) {
        let turns = &self.text.as_bytes()[self.turns.clone()];
        if self.is_guarded && !turns.is_empty() {
            self.is_suspect |= self.firsts.count(turns) != Some(self.expected);
        }
    }

    fn search(&mut self, words: &str) {
        if self.is_guarded {
            self.is_suspect |= self.firsts.copy(words, &mut self.text).is_some();
        } else {
            self.text.push_str(words);
        }
    }
}

impl Page for Sheet<'_> {
    fn reserve(&mut self, bytes: usize, _: usize) {
        room::for_bytes(&mut self.text, bytes);
    }

    fn message(&mut self, _: Option<usize>) {}

    #[inline]
    fn structure(&mut self, text: &str) {
        self.text.push_str(text);
    }

    #[inline]
    fn words(&mut self, words: &str) {
        self.text.push_str(words);
    }

    #[inline]
    fn data(&mut self, _: Option<&'static str>, data: &str) {
        self.search(data);
    }

    #[inline]
    fn text(&mut self, _: Option<&'static str>, text: &Text) {
        self.search(text.as_str());
    }

    #[inline]
    fn between<'a>(
        &mut self,
        _: impl FnOnce() -> [&'a str; 2],
        joined: Mark<'_>,
        _: Option<usize>,
    ) {
        if self.turns.end != self.text.len() {
            self.search_turns();
            self.turns.start = self.text.len();
            self.expected = 0;
        }
        self.text.push_str(joined.text);
        self.turns.end = self.text.len();
        self.expected += joined.firsts;
    }

    #[inline]
    fn turn(&mut self, said: Said<'_>) {
        let words = match said {
            Said::Words(_, words) => words,
            Said::Message(message) => match &message.parts[..] {
                [Part::Text(text)] => text.as_str(),
                _ => return self.said(said),
            },
        };
        if words.len() >= SHORT {
            return self.search(words);
        }
        self.text.push_str(words);
        self.turns.end = self.text.len();
    }
}
