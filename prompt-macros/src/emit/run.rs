//! Words and slots in turn, without a condition between them: one call writes them.

use proc_macro2::{Ident, Literal, TokenStream};
use prompt_syntax::Dialect;
use syn::Type;

use super::{CaseEmitter, Code};
use crate::input::Field;
use crate::model::{Kind, Message, Piece, Place, PlaceType as _, Root, Slot, Value, is_plain_text};
use crate::runtime::Runtime;

/// What such a call is given: a text before each slot, and perhaps one after the last.
pub(super) struct Run<'a> {
    texts: Vec<String>,
    names: Vec<Name<'a>>,
    /// `self.question, &self.product,`
    filling: Code<'a>,
    /// `Fill::of(&self.days),`
    values: Code<'a>,
}

/// The name of a slot, and whether a value fills it and no text.
struct Name<'a> {
    name: &'a str,
    is_value: bool,
}

/// What fills a slot.
enum Filling<'a> {
    Text(Term<'a>),
    /// What `Fill::of` is to find the text, the number or the writer of.
    Value(Term<'a>),
    /// A `Fill`.
    Found(TokenStream),
}

/// The code of it.
enum Term<'a> {
    /// A field of `self`, and what stands before it.
    Field(&'static str, &'a Ident),
    Tokens(TokenStream),
}

impl Term<'_> {
    fn write(self, code: &mut Code<'_>) {
        match self {
            Term::Field(before, field) => code.add(before).add(&field.to_string()),
            Term::Tokens(tokens) => code.tokens(tokens),
        };
    }
}

impl<'a> Run<'a> {
    pub(super) fn new(runtime: &'a Runtime) -> Run<'a> {
        Run {
            texts: Vec::new(),
            names: Vec::new(),
            filling: Code::new(runtime),
            values: Code::new(runtime),
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        match self.texts.get_mut(self.names.len()) {
            Some(last) => last.push_str(text),
            None => self.texts.push(text.to_owned()),
        }
    }

    /// Whether a slot of this name can be cut out of the words.
    fn takes(&self, name: &str) -> bool {
        let before = self.texts.get(self.names.len()).map_or(0, String::len);
        can_cut(name, before)
    }

    /// Adds a slot, and what fills it.
    fn slot(&mut self, name: &'a str, filling: Filling<'_>) {
        let is_value = !matches!(filling, Filling::Text(_));
        self.name(Name { name, is_value });
        match filling {
            Filling::Text(term) => {
                term.write(&mut self.filling);
                self.filling.add(",");
            }
            Filling::Value(term) => {
                let values = self.values.add("Fill::of");
                values.parenthesized(|code| term.write(code)).add(",");
            }
            Filling::Found(fill) => _ = self.values.tokens(fill).add(","),
        }
    }

    fn name(&mut self, name: Name<'a>) {
        self.texts.resize_with(self.names.len() + 1, String::new);
        self.names.push(name);
    }

    /// Adds what `Writer::fill` reads: `"Ask <name>.", b"\x04\x04\0\0", &[self.name], &[]`, the words as they are spelled.
    pub(super) fn write(self, spelled: impl FnOnce(&str) -> String, code: &mut Code<'_>) {
        let (mut words, mut cuts) = (String::new(), Vec::with_capacity(4 * self.names.len()));
        for (index, text) in self.texts.iter().enumerate() {
            words.push_str(text);
            if let Some(Name { name, is_value }) = self.names.get(index) {
                let cut = u32::from(*is_value) << 31 | (text.len() << 8 | name.len()) as u32;
                cuts.extend_from_slice(&cut.to_le_bytes());
                words.push('<');
                words.push_str(name);
                words.push('>');
            }
        }
        let cuts = Literal::byte_string(&cuts).to_string();
        code.add(&spelled(&words)).add(",").add(&cuts).add(",&");
        code.bracketed(|code| _ = code.append(self.filling))
            .add(",&");
        code.bracketed(|code| _ = code.append(self.values));
    }
}

/// A slot is cut out by a number of four bytes: one for its name, three less a bit for the text before it.
pub(super) fn can_cut(name: &str, before: usize) -> bool {
    name.len() <= LONGEST_NAME && before <= LONGEST_TEXT
}

const LONGEST_NAME: usize = 0xff;
const LONGEST_TEXT: usize = 0x7f_ffff;

impl CaseEmitter<'_> {
    /// Adds a piece to the run, if it can be part of one.
    pub(super) fn joins<'b>(&self, message: &Message, piece: &'b Piece, run: &mut Run<'b>) -> bool {
        match piece {
            Piece::Text { text, .. } => run.text(text),
            Piece::Slot(slot) if self.is_plain(piece, slot) && run.takes(&slot.name) => {
                self.put(&slot.name, self.fill(message, slot), run);
            }
            _ => return false,
        }
        true
    }

    fn put<'b>(&self, name: &'b str, filling: Filling<'_>, run: &mut Run<'b>) {
        if let Filling::Value(_) = filling {
            self.emitter.fills.set(true);
        }
        run.slot(name, filling);
    }

    /// Whether a slot needs nothing but its value.
    pub(super) fn is_plain(&self, piece: &Piece, slot: &Slot) -> bool {
        // What prints a value of that dialect cannot be left by it.
        let is_printed = self.case.dialect == Dialect::Jinja && self.is_asserted(&slot.value);
        slot.fallback.is_none() && !is_printed && !self.is_of_answer(piece)
    }

    /// Whether rustc is asked about the value, with words of its own for an error.
    pub(super) fn is_asserted(&self, value: &Value) -> bool {
        matches!(value, Value::Place(place) if self.asks_rustc(place))
    }

    /// What fills the slot: text as it is, which rustc checks with the least work, all else through its trait.
    fn fill(&self, message: &Message, slot: &Slot) -> Filling<'_> {
        let Value::Place(place) = &slot.value else {
            return Filling::Value(Term::Tokens(self.sized(message, &slot.value)));
        };
        if let Some(field) = self.known(place) {
            return of_field(field);
        }
        if place.is_plain_text(&self.case.case.fields) {
            return Filling::Text(Term::Tokens(self.reference(message, place)));
        }
        let value = self.sized(message, &slot.value);
        let asserted = self
            .is_asserted(&slot.value)
            .then(|| self.asserted_fill(message, slot, &value));
        match asserted.flatten() {
            Some(fill) => Filling::Found(fill),
            None => Filling::Value(Term::Tokens(value)),
        }
    }

    /// The field of `self`, if a place is one whose type has the name of a text or of a number.
    fn known(&self, place: &Place) -> Option<&Field> {
        match place.root {
            Root::Field(index) if place.rest.is_empty() && !self.emitter.bound => {
                let field = &self.case.case.fields[index];
                matches!(field.kind(), Kind::Text | Kind::Number).then_some(field)
            }
            _ => None,
        }
    }

    /// Adds the call that writes the run.
    pub(super) fn write_run(&self, message: &Message, run: Run<'_>, code: &mut Code<'_>) {
        let spelled = |words: &str| self.case.sources[message.source].spelled(words);
        match (&run.texts[..], &run.names[..]) {
            ([], _) => {}
            _ if self.is_asking => {
                code.add("if !");
                self.write_taken(message, run, code);
                code.braced(|code| _ = code.add("return false;"));
            }
            ([text], []) => code.call("text", |code| _ = code.add(&spelled(text))),
            _ => code.call("fill", |code| run.write(spelled, code)),
        }
    }

    /// Adds whether the run was taken by what takes words: an expression.
    pub(super) fn write_taken(&self, message: &Message, run: Run<'_>, code: &mut Code<'_>) {
        if run.texts.is_empty() {
            code.add("true");
            return;
        }
        let spelled = |words: &str| self.case.sources[message.source].spelled(words);
        code.add("out.fill");
        code.parenthesized(|code| run.write(spelled, code));
    }
}

/// How a field of a known type fills a slot. A reference is copied: one to it would have to be dereferenced, which takes rustc
/// as long as all else about the slot.
fn of_field(field: &Field) -> Filling<'_> {
    match &field.ty {
        ty if !is_plain_text(ty) => Filling::Value(Term::Field("&self.", &field.ident)),
        Type::Reference(reference) if reference.mutability.is_none() => {
            Filling::Text(Term::Field("self.", &field.ident))
        }
        _ => Filling::Text(Term::Field("&self.", &field.ident)),
    }
}
