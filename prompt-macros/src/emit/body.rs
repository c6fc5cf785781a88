//! The statements that write the text of a message, in order.

use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::Dialect;
use quote::{quote, quote_spanned};
use syn::Type;

use super::{CaseEmitter, Code};
use crate::input::Field;
use crate::model::{
    Fallback, Kind, Message, Piece, Place, PlaceType as _, Root, Slot, Test, Value,
};
use crate::place::variable;
use crate::runtime::Runtime;
use crate::uses::is_answer;

/// Where a condition is evaluated: an error in a closure returns from it, an error in a message is kept by the writer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    Message,
    #[cfg(feature = "jinja")]
    Closure,
}

/// Literal text and slots without a block between them.
struct Run<'a> {
    /// `Piece::Text("Hello, "), Piece::Str("name", self.name),`
    pieces: Code<'a>,
    has_slots: bool,
    /// The text since the last slot.
    text: String,
}

impl<'a> Run<'a> {
    fn new(runtime: &'a Runtime) -> Run<'a> {
        Run {
            pieces: Code::new(runtime),
            has_slots: false,
            text: String::new(),
        }
    }
}

impl CaseEmitter<'_> {
    pub(super) fn pieces(&self, message: &Message, pieces: &[Piece]) -> TokenStream {
        let mut code = Code::new(&self.emitter.private);
        self.write(message, pieces, &mut code);
        code.into_tokens()
    }

    /// Adds the statements that write some pieces. Literal text and slots in a row are one call.
    pub(super) fn write(&self, message: &Message, pieces: &[Piece], code: &mut Code<'_>) {
        let empty = || Run::new(&self.emitter.private);
        let mut run = empty();
        for piece in pieces {
            match piece {
                Piece::Text { text, .. } => run.text.push_str(text),
                Piece::Slot(slot) if self.is_plain(piece, slot) => {
                    self.end_text(message, &mut run);
                    self.slot(message, slot, &mut run);
                }
                _ => {
                    self.write_run(message, std::mem::replace(&mut run, empty()), code);
                    code.tokens(self.piece(message, piece));
                }
            }
        }
        self.write_run(message, run, code);
    }

    /// Adds the call that writes a run.
    fn write_run(&self, message: &Message, mut run: Run<'_>, code: &mut Code<'_>) {
        if run.has_slots {
            self.end_text(message, &mut run);
            self.emitter.import("Piece");
            code.call("pieces", |code| {
                code.add("&").bracketed(|code| _ = code.append(run.pieces));
            });
        } else if !run.text.is_empty() {
            let text = self.spelled(message, &run.text);
            code.call("text", |code| _ = code.add(&text));
        }
    }

    /// Adds the literal text since the last slot.
    fn end_text(&self, message: &Message, run: &mut Run<'_>) {
        if run.text.is_empty() {
            return;
        }
        let text = self.spelled(message, &std::mem::take(&mut run.text));
        run.pieces.add("Piece::Text(").add(&text).add("),");
    }

    /// Text as the literal that the user wrote spells it.
    fn spelled(&self, message: &Message, text: &str) -> String {
        self.case.sources[message.source].spelled(text)
    }

    /// Adds a slot that writes its value and nothing else: `Piece::Str("question", self.question),`.
    fn slot(&self, message: &Message, slot: &Slot, run: &mut Run<'_>) {
        run.has_slots = true;
        let code = &mut run.pieces;
        let is_text = match &slot.value {
            // A variable of the Jinja dialect may be a value of an expression.
            Value::Place(place) if self.case.dialect == Dialect::Jinja && place.is_local() => false,
            Value::Place(place) => place.is_plain_text(&self.case.case.fields),
            _ => false,
        };
        code.add(if is_text {
            "Piece::Str"
        } else {
            "Piece::Value"
        });
        code.parenthesized(|code| {
            code.literal(&slot.name).add(",");
            match &slot.value {
                Value::Place(place) => self.slot_value(message, slot, place, is_text, code),
                value => _ = code.tokens(self.sized(message, value)),
            }
        });
        code.add(",");
    }

    fn slot_value(
        &self,
        message: &Message,
        slot: &Slot,
        place: &Place,
        is_text: bool,
        code: &mut Code<'_>,
    ) {
        if let Some(field) = self.known_field(place) {
            // A reference is copied: rustc would spend more on dereferencing one to it than on all else about the slot.
            let is_reference =
                matches!(&field.ty, Type::Reference(reference) if reference.mutability.is_none());
            let borrow = if is_text && is_reference { "" } else { "&" };
            code.add(borrow).add("self.").add(&field.ident.to_string());
        } else if is_text {
            code.tokens(self.reference(message, place));
        } else {
            let value = self.sized(message, &slot.value);
            let asserted = if self.asks_rustc(place) {
                self.asserted_slot(message, slot, &value)
            } else {
                None
            };
            code.tokens(asserted.unwrap_or(value));
        }
    }

    /// The field of `self`, if a place is one whose type has the name of a text or of a number.
    fn known_field(&self, place: &Place) -> Option<&Field> {
        match place.root {
            Root::Field(index) if place.rest.is_empty() && !self.emitter.bound => {
                let field = &self.case.case.fields[index];
                matches!(field.kind(), Kind::Text | Kind::Number).then_some(field)
            }
            _ => None,
        }
    }

    /// Whether a slot writes its value and nothing else.
    fn is_plain(&self, piece: &Piece, slot: &Slot) -> bool {
        // A value of the Jinja dialect whose type only rustc knows is printed by another type.
        let is_printed = self.case.dialect == Dialect::Jinja
            && matches!(&slot.value, Value::Place(place) if self.asks_rustc(place));
        slot.fallback.is_none() && !is_printed && !self.is_of_answer(piece)
    }

    fn piece(&self, message: &Message, piece: &Piece) -> TokenStream {
        let out = &self.emitter.out;
        match piece {
            Piece::Text { text, .. } => quote!(#out.text(#text);),
            Piece::Slot(slot) => self.masked(piece, self.filled(message, slot)),
            #[cfg(feature = "jinja")]
            Piece::Show(show) => self.masked(piece, self.show(message, show)),
            #[cfg(feature = "jinja")]
            Piece::Bind(bind) => self.bind(message, bind),
            Piece::Scope(body) => {
                let body = self.pieces(message, body);
                quote!({ #body })
            }
            #[cfg(feature = "jinja")]
            Piece::Loop(block) => self.repeated(message, block),
            #[cfg(not(feature = "jinja"))]
            Piece::Show(_) | Piece::Bind(_) | Piece::Loop(_) => TokenStream::new(),
            Piece::Media { place, .. } => {
                let (name, value) = (
                    &place.name,
                    self.sized(message, &Value::Place(place.clone())),
                );
                quote!(#out.media(#name, #value);)
            }
            Piece::If {
                branches,
                otherwise,
            } => {
                let mut tokens = TokenStream::new();
                for (index, branch) in branches.iter().enumerate() {
                    let or = (index > 0).then(|| quote!(else));
                    let (test, body) = (
                        self.test(message, &branch.test, Within::Message),
                        self.pieces(message, &branch.body),
                    );
                    tokens.extend(quote!(#or if #test { #body }));
                }
                if !otherwise.is_empty() && !branches.is_empty() {
                    let body = self.pieces(message, otherwise);
                    tokens.extend(quote!(else { #body }));
                }
                tokens
            }
            Piece::For {
                binding,
                list,
                body,
                otherwise,
            } => {
                let binding = variable(binding);
                let items = self.items(message, list);
                let body = self.pieces(message, body);
                let Some(otherwise) = otherwise else {
                    return quote!(for #binding in #items { #body });
                };
                let empty = Ident::new("empty", Span::mixed_site());
                let otherwise = self.pieces(message, otherwise);
                quote! {
                    let mut #empty = true;
                    for #binding in #items {
                        #empty = false;
                        #body
                    }
                    if #empty { #otherwise }
                }
            }
        }
    }

    /// Whether only rustc knows that a place can fill a slot.
    pub(super) fn asks_rustc(&self, place: &Place) -> bool {
        match self.case.dialect {
            Dialect::Jinja => place.open,
            _ => !place.is_known_text(&self.case.case.fields),
        }
    }

    /// The iterator of a loop.
    pub(super) fn items(&self, message: &Message, list: &Value) -> TokenStream {
        let at = self.at(message, list);
        let (p, value) = (self.emitter.private_at(at), self.value(message, list));
        match list {
            Value::Place(place) if !place.is_known_list(&self.case.case.fields) => {
                self.asserted_list(message, place, &value)
            }
            _ => quote_spanned!(at=> #p::items(#value)),
        }
    }

    /// The code of a piece, which is skipped if it contains the answer and answers are masked.
    fn masked(&self, piece: &Piece, filled: TokenStream) -> TokenStream {
        if !self.is_of_answer(piece) {
            return filled;
        }
        let out = &self.emitter.out;
        quote!(if !#out.mask() { #filled })
    }

    pub(super) fn is_of_answer(&self, piece: &Piece) -> bool {
        let mut is_of_answer = false;
        piece.shown(&mut |place| {
            is_of_answer |= is_answer(self.case, place.origin);
        });
        is_of_answer
    }

    fn filled(&self, message: &Message, slot: &Slot) -> TokenStream {
        let (p, out) = (&self.emitter.private, &self.emitter.out);
        let name = &slot.name;
        let value = self.sized(message, &slot.value);
        let filled = match &slot.value {
            Value::Place(place) if self.asks_rustc(place) => self.asserted(message, slot, &value),
            _ => quote!(#out.slot(#name, #value)),
        };
        let Some(Fallback {
            option,
            binding,
            default,
        }) = &slot.fallback
        else {
            return quote!(#filled;);
        };
        let (option, binding) = (self.reference(message, option), variable(binding));
        let default = match default {
            Value::Literal(literal) => {
                let text = match literal {
                    prompt_syntax::Literal::Str(text) => text.clone(),
                    prompt_syntax::Literal::Int(number) => number.to_string(),
                    prompt_syntax::Literal::Float(number) => number.to_string(),
                    prompt_syntax::Literal::Bool(value) => value.to_string(),
                    prompt_syntax::Literal::None => "None".to_owned(),
                };
                quote!(#out.text(#text))
            }
            other => {
                let value = self.sized(message, other);
                quote!(#out.slot(#name, #value))
            }
        };
        quote! {
            match #p::optional(#option) {
                #p::Some(#binding) => #filled,
                #p::None => #default,
            }
        }
    }

    /// A condition. A pattern binds the value inside an `Option`.
    pub(super) fn test(&self, message: &Message, test: &Test, within: Within) -> TokenStream {
        let p = &self.emitter.private;
        let mut conjuncts = Vec::new();
        flatten(test, &mut conjuncts);
        let bindings: Vec<&str> = conjuncts.iter().filter_map(|test| test.binding()).collect();
        if bindings.is_empty() {
            return self.holds(message, test, within);
        }
        if conjuncts.iter().any(|test| test.mentions(&bindings)) {
            return self.one_by_one(message, &conjuncts, &bindings, within);
        }
        let patterns = conjuncts.iter().map(|test| match test.binding() {
            Some(binding) => {
                let binding = variable(binding);
                quote!(#p::Some(#binding))
            }
            None => quote!(true),
        });
        let values = conjuncts
            .iter()
            .map(|test| self.tested(message, test, within));
        if conjuncts.len() == 1 {
            return quote!(let #(#patterns)* = #(#values)*);
        }
        quote!(let (#(#patterns,)*) = (#(#values,)*))
    }

    /// `<if user and user.name>`: the second condition uses the binding of the first.
    fn one_by_one(
        &self,
        message: &Message,
        conjuncts: &[&Test],
        bindings: &[&str],
        within: Within,
    ) -> TokenStream {
        let p = &self.emitter.private;
        let bindings: Vec<Ident> = bindings.iter().map(|name| variable(name)).collect();
        let found = syn::Lifetime::new("'found", Span::mixed_site());
        let steps = conjuncts.iter().map(|test| {
            let value = self.tested(message, test, within);
            let pattern = match test.binding() {
                Some(binding) => {
                    let binding = variable(binding);
                    quote!(#p::Some(#binding))
                }
                None => quote!(true),
            };
            quote!(let #pattern = #value else { break #found #p::None };)
        });
        quote! {
            let #p::Some((#(#bindings,)*)) = #found: {
                #(#steps)*
                #p::Some((#(#bindings,)*))
            }
        }
    }

    /// The value of a condition: an `Option` if the condition binds the value inside, else a `bool`.
    fn tested(&self, message: &Message, test: &Test, within: Within) -> TokenStream {
        match test {
            Test::Present {
                value,
                binding: Some(_),
            } => {
                let at = self.at(message, value);
                let (p, value) = (self.emitter.private_at(at), self.value(message, value));
                quote_spanned!(at=> #p::present(#value))
            }
            Test::Given {
                place,
                binding: Some(_),
            } => {
                let at = self.at_place(message, place);
                let (p, value) = (self.emitter.private_at(at), self.reference(message, place));
                quote_spanned!(at=> #p::optional(#value))
            }
            other => self.holds(message, other, within),
        }
    }

    #[cfg_attr(
        not(feature = "jinja"),
        expect(clippy::only_used_in_recursion, reason = "Jinja expressions use it")
    )]
    pub(super) fn holds(&self, message: &Message, test: &Test, within: Within) -> TokenStream {
        match test {
            Test::Present { value, .. } => {
                let at = self.at(message, value);
                let (p, value) = (self.emitter.private_at(at), self.value(message, value));
                quote_spanned!(at=> #p::truthy(#value))
            }
            Test::Given { place, .. } => {
                let at = self.at_place(message, place);
                let (p, value) = (self.emitter.private_at(at), self.reference(message, place));
                quote_spanned!(at=> #p::optional(#value).is_some())
            }
            #[cfg(feature = "jinja")]
            Test::Holds(term) => self.condition(message, term, within),
            #[cfg(not(feature = "jinja"))]
            Test::Holds(_) => TokenStream::new(),
            Test::Not(inner) => {
                let inner = self.holds(message, inner, within);
                quote!(!#inner)
            }
            Test::And(sides) => {
                let (left, right) = (
                    self.holds(message, &sides.0, within),
                    self.holds(message, &sides.1, within),
                );
                quote!((#left && #right))
            }
            Test::Or(sides) => {
                let (left, right) = (
                    self.holds(message, &sides.0, within),
                    self.holds(message, &sides.1, within),
                );
                quote!((#left || #right))
            }
        }
    }
}

/// The conditions that must all hold.
fn flatten<'a>(test: &'a Test, conjuncts: &mut Vec<&'a Test>) {
    match test {
        Test::And(sides) => {
            flatten(&sides.0, conjuncts);
            flatten(&sides.1, conjuncts);
        }
        other => conjuncts.push(other),
    }
}
