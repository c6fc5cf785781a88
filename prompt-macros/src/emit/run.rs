//! Words and slots in turn, without a condition between them: one call writes them.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

use super::{CaseEmitter, Code};
use crate::model::{Message, Piece, Slot, Value};

/// What such a call is given: a text before each slot, and perhaps one after the last.
#[derive(Default)]
pub(super) struct Run<'a> {
    texts: Vec<String>,
    names: Vec<&'a str>,
    /// `Fill::Text(…), Fill::of(…),`
    fills: TokenStream,
}

/// The arguments of `Writer::fill`: the words with each slot as `<name>`, where to cut them, and the values.
pub(super) struct Parts {
    pub(super) words: String,
    pub(super) cuts: Literal,
    /// `[Fill::Text(…), …]`
    pub(super) fills: Group,
}

impl<'a> Run<'a> {
    pub(super) fn text(&mut self, text: &str) {
        match self.texts.get_mut(self.names.len()) {
            Some(last) => last.push_str(text),
            None => self.texts.push(text.to_owned()),
        }
    }

    /// Whether a slot of this name can be cut out of the words.
    fn takes(&self, name: &str) -> bool {
        let before = self.texts.get(self.names.len()).map_or(0, String::len);
        name.len() <= LONGEST_NAME && before <= LONGEST_TEXT
    }

    /// Adds a slot, and what fills it: `how` is a variant of `Fill`, or the function that finds one.
    fn slot(&mut self, name: &'a str, how: &str, value: TokenStream) {
        self.name(name);
        let at = Span::call_site();
        self.fills.extend([
            TokenTree::from(Ident::new("Fill", at)),
            Punct::new(':', Spacing::Joint).into(),
            Punct::new(':', Spacing::Alone).into(),
            Ident::new(how, at).into(),
            Group::new(Delimiter::Parenthesis, value).into(),
            Punct::new(',', Spacing::Alone).into(),
        ]);
    }

    fn name(&mut self, name: &'a str) {
        self.texts.resize_with(self.names.len() + 1, String::new);
        self.names.push(name);
    }

    /// How many slots it has.
    pub(super) fn slots(&self) -> usize {
        self.names.len()
    }

    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The text before each slot.
    pub(super) fn before_slots(&self) -> impl Iterator<Item = &str> {
        self.texts[..self.slots()].iter().map(String::as_str)
    }

    /// The texts before the first slot and after the last.
    pub(super) fn ends(&self) -> [&str; 2] {
        let text = |at: usize| self.texts.get(at).map_or("", String::as_str);
        [text(0), text(self.slots())]
    }

    /// Takes these letters off both ends.
    pub(super) fn strip(&mut self, letters: fn(char) -> bool) {
        if let Some(first) = self.texts.first_mut() {
            *first = first.trim_start_matches(letters).to_owned();
        }
        let slots = self.slots();
        if let Some(last) = self.texts.get_mut(slots) {
            last.truncate(last.trim_end_matches(letters).len());
        }
    }

    /// Adds another run behind it.
    pub(super) fn append(&mut self, other: Run<'a>) {
        let mut names = other.names.into_iter();
        for text in &other.texts {
            self.text(text);
            if let Some(name) = names.next() {
                self.name(name);
            }
        }
        self.fills.extend(other.fills);
    }

    /// What `Writer::fill` reads.
    pub(super) fn into_parts(self) -> Parts {
        let (mut words, mut cuts) = (String::new(), Vec::with_capacity(4 * self.names.len()));
        for (index, text) in self.texts.iter().enumerate() {
            words.push_str(text);
            if let Some(name) = self.names.get(index) {
                let cut = (text.len() << 8 | name.len()) as u32;
                cuts.extend_from_slice(&cut.to_le_bytes());
                words.push('<');
                words.push_str(name);
                words.push('>');
            }
        }
        Parts {
            words,
            cuts: Literal::byte_string(&cuts),
            fills: Group::new(Delimiter::Bracket, self.fills),
        }
    }
}

/// A slot is cut out by a number of four bytes: three for the words before it, one for its name. Words of a family's marks
/// may still come to these.
const LONGEST_NAME: usize = 0xff;
const LONGEST_TEXT: usize = 0xff_ffff / 2;

impl CaseEmitter<'_> {
    /// Adds a piece to the run, if it can be part of one.
    pub(super) fn joins<'a>(&self, message: &Message, piece: &'a Piece, run: &mut Run<'a>) -> bool {
        match piece {
            Piece::Text { text, .. } => run.text(text),
            Piece::Slot(slot) if self.is_plain(piece, slot) && run.takes(&slot.name) => {
                let (how, value) = self.fill(message, &slot.value);
                run.slot(&slot.name, how, value);
            }
            _ => return false,
        }
        true
    }

    /// Whether a slot needs nothing but its value.
    fn is_plain(&self, piece: &Piece, slot: &Slot) -> bool {
        let is_asserted = matches!(&slot.value, Value::Place(place) if self.asks_rustc(place));
        slot.fallback.is_none() && !is_asserted && !self.is_of_answer(piece)
    }

    /// What fills the slot: text as it is, which rustc checks with the least work, all else through its trait.
    fn fill(&self, message: &Message, value: &Value) -> (&'static str, TokenStream) {
        self.emitter.fills.set(true);
        match value {
            Value::Place(place) if place.is_plain_text(&self.case.case.fields) => {
                ("Text", self.reference(message, place))
            }
            value => ("of", self.sized(message, value)),
        }
    }

    /// Adds the call that writes the run, which begins anew.
    pub(super) fn write_run(&self, message: &Message, run: &mut Run<'_>, code: &mut Code<'_>) {
        let run = std::mem::take(run);
        let (method, arguments) = match (&run.texts[..], &run.names[..]) {
            ([], _) => return,
            ([text], []) => {
                let text = self.case.sources[message.source].spelled(text);
                ("text", quote!(#text))
            }
            _ => {
                let Parts { words, cuts, fills } = run.into_parts();
                let words = self.case.sources[message.source].spelled(&words);
                ("fill", quote!(#words, #cuts, &#fills))
            }
        };
        code.call(method, |code| _ = code.tokens(arguments));
    }
}
