//! Words and slots in turn, without a condition between them: one call writes them.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::CaseEmitter;
use crate::model::{Message, Piece, Slot, Value};

/// What such a call is given: a text before each slot, and perhaps one after the last.
#[derive(Default)]
pub(super) struct Run<'a> {
    texts: Vec<String>,
    names: Vec<&'a str>,
    values: Vec<TokenStream>,
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

    fn slot(&mut self, name: &'a str, value: TokenStream) {
        self.texts.resize_with(self.names.len() + 1, String::new);
        self.names.push(name);
        self.values.push(value);
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
        let mut slots = other.names.into_iter().zip(other.values);
        for text in &other.texts {
            self.text(text);
            if let Some((name, value)) = slots.next() {
                self.slot(name, value);
            }
        }
    }

    /// The words with each slot as `<name>`, where to cut them, and the values: what `Writer::fill` reads.
    pub(super) fn into_parts(self) -> (String, Literal, Vec<TokenStream>) {
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
        (words, Literal::byte_string(&cuts), self.values)
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
                run.slot(&slot.name, self.fill(message, &slot.value));
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
    fn fill(&self, message: &Message, value: &Value) -> TokenStream {
        self.emitter.fills.set(true);
        match value {
            Value::Place(place) if place.is_plain_text(&self.case.case.fields) => {
                let text = self.reference(message, place);
                quote!(Fill::Text(#text))
            }
            value => {
                let value = self.sized(message, value);
                quote!(Fill::of(#value))
            }
        }
    }

    /// The call that writes the run, which begins anew.
    pub(super) fn written(&self, run: &mut Run<'_>) -> TokenStream {
        let out = &self.emitter.out;
        let run = std::mem::take(run);
        match (&run.texts[..], &run.names[..]) {
            ([], _) => TokenStream::new(),
            ([text], []) => quote!(#out.text(#text);),
            _ => {
                let (words, cuts, values) = run.into_parts();
                quote!(#out.fill(#words, #cuts, &[#(#values),*]);)
            }
        }
    }
}
