//! The statements that write the text of a message, in order.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use prompt_syntax::{CompareOp, Dialect, Role};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use super::{CaseEmitter, Code, OWN_NAMES, Runtime, ident_or_raw, template_variable};
use crate::input::Field;
use crate::lower::{
    Condition, PlaceExpr, PlaceType as _, ResolvedNode, ResolvedSlot, Root, SlotDefault, SlotValue,
    TemplateMessage, first_in_system, is_answer,
};
use crate::types::{TypeKind, is_safe_by_name};

/// Where a condition is evaluated: an error in a closure returns from it, an error in a message is kept by the writer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorContext {
    Message,
    #[cfg(feature = "jinja")]
    Closure,
}

/// Literal text and slots without a block between them.
struct SlotRun<'a> {
    /// `("Hello, ", "name"),`
    slots: String,
    /// `SlotData::Str(self.name),`
    values: Code<'a>,
    /// The text since the last slot.
    text: String,
}

impl CaseEmitter<'_> {
    pub(super) fn pieces_code(
        &self,
        message: &TemplateMessage,
        pieces: &[ResolvedNode],
    ) -> TokenStream {
        let mut code = Code::new(&self.emitter.runtime);
        self.write_pieces(message, pieces, &mut code);
        code.into_tokens()
    }

    /// Adds the statements that write some pieces. Literal text and slots in a row are one call.
    pub(super) fn write_pieces(
        &self,
        message: &TemplateMessage,
        pieces: &[ResolvedNode],
        code: &mut Code<'_>,
    ) {
        let empty = || SlotRun {
            slots: String::new(),
            values: Code::new(&self.emitter.runtime),
            text: String::new(),
        };
        let mut run = empty();
        for piece in pieces {
            match piece {
                ResolvedNode::Text { text, .. } => run.text.push_str(text),
                ResolvedNode::Slot(slot) if self.is_plain(piece, slot) => {
                    self.write_slot(message, slot, &mut run);
                }
                _ => {
                    self.write_run(message, std::mem::replace(&mut run, empty()), code);
                    code.tokens(self.piece_code(message, piece));
                }
            }
        }
        self.write_run(message, run, code);
    }

    /// Adds the call that writes a run.
    fn write_run(&self, message: &TemplateMessage, run: SlotRun<'_>, code: &mut Code<'_>) {
        let text = self.spell_literal(message, &run.text);
        if !run.slots.is_empty() {
            code.call("slots", |code| {
                code.add("&[").add(&run.slots).add("],&");
                code.bracketed(|code| _ = code.append(run.values));
                code.add(",").add(&text);
            });
        } else if !run.text.is_empty() {
            code.call("text", |code| _ = code.add(&text));
        }
    }

    /// Text as a literal, in the user's spelling if it is a whole literal.
    fn spell_literal(&self, message: &TemplateMessage, text: &str) -> String {
        self.case.sources[message.source].spell_literal(text)
    }

    /// Adds a slot that writes its value and nothing else, with the text before it.
    fn write_slot(&self, message: &TemplateMessage, slot: &ResolvedSlot, run: &mut SlotRun<'_>) {
        let before = self.spell_literal(message, &std::mem::take(&mut run.text));
        run.slots += &format!("({before},{:?}),", slot.name);
        let code = &mut run.values;
        let is_text = match &slot.value {
            // A variable of the Jinja dialect may be a value of an expression.
            SlotValue::Place(place) if self.case.dialect == Dialect::Jinja && place.is_local() => {
                false
            }
            SlotValue::Place(place) => place.is_plain_text(&self.case.case.fields),
            _ => false,
        };
        let variant = if is_text { "Str" } else { "Value" };
        code.path("SlotData::").add(variant);
        code.parenthesized(|code| match &slot.value {
            SlotValue::Place(place) => self.slot_value(message, slot, place, is_text, code),
            value => _ = code.tokens(self.sized_reference(message, value)),
        });
        code.add(",");
    }

    fn slot_value(
        &self,
        message: &TemplateMessage,
        slot: &ResolvedSlot,
        place: &PlaceExpr,
        is_text: bool,
        code: &mut Code<'_>,
    ) {
        if let Some(field) = self.known_field(place) {
            // A reference is copied: type checking a reference to a reference takes rustc longer than the rest of the slot.
            let is_reference =
                matches!(&field.ty, Type::Reference(reference) if reference.mutability.is_none());
            let borrow = if is_text && is_reference { "" } else { "&" };
            code.add(borrow).add("self.").add(&field.ident.to_string());
        } else if is_text {
            code.tokens(self.place_reference(message, place));
        } else {
            let value = self.sized_reference(message, &slot.value);
            let asserted = if self.asks_rustc(place) {
                self.asserted_slot(message, slot, &value)
            } else {
                None
            };
            code.tokens(asserted.unwrap_or(value));
        }
    }

    /// The field of `self`, if the place is a whole field whose type has the name of a string or a number.
    fn known_field(&self, place: &PlaceExpr) -> Option<&Field> {
        match place.root {
            Root::Field(index) if place.rest.is_empty() && !self.emitter.bound => {
                let field = &self.case.case.fields[index];
                matches!(field.kind(), TypeKind::Text | TypeKind::Number).then_some(field)
            }
            _ => None,
        }
    }

    /// Whether a slot writes its value and nothing else.
    fn is_plain(&self, piece: &ResolvedNode, slot: &ResolvedSlot) -> bool {
        // A value of the Jinja dialect whose type the macro cannot determine is printed by another type.
        let is_printed = self.case.dialect == Dialect::Jinja
            && matches!(&slot.value, SlotValue::Place(place) if self.asks_rustc(place));
        slot.fallback.is_none() && !is_printed && !self.is_of_answer(piece)
    }

    fn piece_code(&self, message: &TemplateMessage, piece: &ResolvedNode) -> TokenStream {
        let out = &self.emitter.out;
        match piece {
            ResolvedNode::Text { text, .. } => quote!(#out.text(#text);),
            ResolvedNode::Slot(slot) => self.skip_if_masked(piece, self.fill_slot(message, slot)),
            ResolvedNode::Other(other) => {
                self.skip_if_masked(piece, self.other_code(message, other))
            }
            ResolvedNode::Media { place, .. } => {
                let (name, value) = (
                    &place.name,
                    self.sized_reference(message, &SlotValue::Place(place.clone())),
                );
                quote!(#out.media(#name, #value);)
            }
            ResolvedNode::If {
                branches,
                otherwise,
            } => {
                let mut tokens = TokenStream::new();
                for (index, branch) in branches.iter().enumerate() {
                    let or = (index > 0).then(|| quote!(else));
                    let (test, body) = (
                        self.condition_test(message, &branch.test, ErrorContext::Message),
                        self.pieces_code(message, &branch.body),
                    );
                    tokens.extend(quote!(#or if #test { #body }));
                }
                if !otherwise.is_empty() && !branches.is_empty() {
                    let body = self.pieces_code(message, otherwise);
                    tokens.extend(quote!(else { #body }));
                }
                tokens
            }
            ResolvedNode::For {
                bindings,
                state,
                list,
                body,
                otherwise,
            } => {
                let mut items = self.loop_items(message, list, bindings.get(1));
                let mut binding = match &bindings[..] {
                    [item] => template_variable(item).to_token_stream(),
                    parts => {
                        let parts = parts.iter().map(|part| template_variable(part));
                        quote!((#(#parts),*))
                    }
                };
                if let Some(state) = state {
                    let (p, state) = (&self.emitter.runtime, template_variable(state));
                    binding = quote!((#state, #binding));
                    items = quote!(#p::enumerate_loop(#items));
                }
                let body = self.pieces_code(message, body);
                let Some(otherwise) = otherwise else {
                    return quote!(for #binding in #items { #body });
                };
                let empty = Ident::new("empty", Span::mixed_site());
                let otherwise = self.pieces_code(message, otherwise);
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

    /// Whether only rustc can decide whether a place can fill a slot.
    pub(super) fn asks_rustc(&self, place: &PlaceExpr) -> bool {
        match self.case.dialect {
            Dialect::Jinja => place.open,
            _ => !place.is_known_text(&self.case.case.fields),
        }
    }

    /// The iterator of a loop over items; over pairs if there is a name for the `second` part of an item.
    pub(super) fn loop_items(
        &self,
        message: &TemplateMessage,
        list: &SlotValue,
        second: Option<&String>,
    ) -> TokenStream {
        let at = self.error_span(message, list);
        let (p, value) = (
            self.emitter.runtime_at(at),
            self.value_reference(message, list),
        );
        match list {
            SlotValue::Place(place)
                if second.is_some() || !place.is_known_list(&self.case.case.fields) =>
            {
                self.asserted_list(message, place, &value, second)
            }
            _ if second.is_some() => quote_spanned!(at=> #p::iter_pairs(#value)),
            _ => quote_spanned!(at=> #p::iter_list(#value)),
        }
    }

    /// The code of a piece, which is skipped if it contains the answer and answers are masked.
    fn skip_if_masked(&self, piece: &ResolvedNode, filled: TokenStream) -> TokenStream {
        if !self.is_of_answer(piece) {
            return filled;
        }
        let out = &self.emitter.out;
        quote!(if !#out.mask() { #filled })
    }

    pub(super) fn is_of_answer(&self, piece: &ResolvedNode) -> bool {
        let mut is_of_answer = false;
        piece.each_shown_place(&mut |place| {
            is_of_answer |= is_answer(self.case, place.origin);
        });
        is_of_answer
    }

    pub(super) fn fill_slot(&self, message: &TemplateMessage, slot: &ResolvedSlot) -> TokenStream {
        let (p, out) = (&self.emitter.runtime, &self.emitter.out);
        let name = &slot.name;
        let value = self.sized_reference(message, &slot.value);
        let filled = match &slot.value {
            SlotValue::Place(place) if self.asks_rustc(place) => {
                self.asserted_slot_call(message, slot, &value)
            }
            _ => quote!(#out.slot(#name, #value)),
        };
        let Some(SlotDefault {
            option,
            binding,
            default,
        }) = &slot.fallback
        else {
            return quote!(#filled;);
        };
        let (option, binding) = (
            self.place_reference(message, option),
            template_variable(binding),
        );
        let default = match default {
            SlotValue::Literal(literal) => {
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
                let value = self.sized_reference(message, other);
                quote!(#out.slot(#name, #value))
            }
        };
        quote! {
            match #p::optional_value(#option) {
                #p::Some(#binding) => #filled,
                #p::None => #default,
            }
        }
    }

    /// A condition. A pattern binds the value inside an `Option`.
    pub(super) fn condition_test(
        &self,
        message: &TemplateMessage,
        test: &Condition,
        within: ErrorContext,
    ) -> TokenStream {
        let p = &self.emitter.runtime;
        let mut conjuncts = Vec::new();
        collect_conjuncts(test, &mut conjuncts);
        let bindings: Vec<&str> = conjuncts
            .iter()
            .filter_map(|test| test.bound_name())
            .collect();
        if bindings.is_empty() {
            return self.condition_holds(message, test, within);
        }
        if conjuncts.iter().any(|test| test.mentions(&bindings)) {
            return self.one_by_one(message, &conjuncts, &bindings, within);
        }
        let patterns = conjuncts.iter().map(|test| condition_pattern(test, p));
        let values = conjuncts
            .iter()
            .map(|test| self.condition_value(message, test, within));
        if conjuncts.len() == 1 {
            return quote!(let #(#patterns)* = #(#values)*);
        }
        quote!(let (#(#patterns,)*) = (#(#values,)*))
    }

    /// `<if user and user.name>`: the second condition uses the binding of the first.
    fn one_by_one(
        &self,
        message: &TemplateMessage,
        conjuncts: &[&Condition],
        bindings: &[&str],
        within: ErrorContext,
    ) -> TokenStream {
        let p = &self.emitter.runtime;
        let bindings: Vec<Ident> = bindings
            .iter()
            .map(|name| template_variable(name))
            .collect();
        let found = syn::Lifetime::new("'found", Span::mixed_site());
        let steps = conjuncts.iter().map(|test| {
            let value = self.condition_value(message, test, within);
            let pattern = condition_pattern(test, p);
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
    fn condition_value(
        &self,
        message: &TemplateMessage,
        test: &Condition,
        within: ErrorContext,
    ) -> TokenStream {
        match test {
            Condition::Present {
                value,
                binding: Some(_),
            } => {
                let at = self.error_span(message, value);
                let (p, value) = (
                    self.emitter.runtime_at(at),
                    self.value_reference(message, value),
                );
                match self.case.dialect {
                    Dialect::Jinja => quote_spanned!(at=> #p::truthy_value(#value)),
                    _ => quote_spanned!(at=> #p::given_value(#value)),
                }
            }
            Condition::Other(other) => self.other_value(message, other, within),
            other => self.condition_holds(message, other, within),
        }
    }

    pub(super) fn condition_holds(
        &self,
        message: &TemplateMessage,
        test: &Condition,
        within: ErrorContext,
    ) -> TokenStream {
        let p = &self.emitter.runtime;
        match test {
            Condition::Present { value, .. } => {
                let at = self.error_span(message, value);
                let (p, value) = (
                    self.emitter.runtime_at(at),
                    self.value_reference(message, value),
                );
                match self.case.dialect {
                    Dialect::Jinja => quote_spanned!(at=> #p::is_truthy(#value)),
                    _ => quote_spanned!(at=> #p::is_given(#value)),
                }
            }
            Condition::Other(other) => self.other_holds(message, other, within),
            Condition::Compare {
                value,
                op,
                literal,
                span,
            } => self.compare_with_constant(message, value, *op, literal, *span),
            Condition::Not(inner) => {
                let inner = self.condition_holds(message, inner, within);
                quote!(!#inner)
            }
            Condition::And(_) if binds_value(test) => {
                let holds = self.conjuncts_hold(message, test, within);
                quote!(#p::core::convert::identity(#holds))
            }
            Condition::And(sides) | Condition::Or(sides) => {
                let (left, right) = (
                    self.condition_holds(message, &sides.0, within),
                    self.condition_holds(message, &sides.1, within),
                );
                match test {
                    Condition::And(_) => quote!((#left && #right)),
                    _ => quote!((#left || #right)),
                }
            }
        }
    }

    /// `note and note == 'x'` inside of a condition: the second part uses the value that the first one has found.
    fn conjuncts_hold(
        &self,
        message: &TemplateMessage,
        test: &Condition,
        within: ErrorContext,
    ) -> TokenStream {
        let p = &self.emitter.runtime;
        let mut conjuncts = Vec::new();
        collect_conjuncts(test, &mut conjuncts);
        let last = conjuncts.pop();
        let last = last.map(|test| self.condition_holds(message, test, within));
        let conjuncts = conjuncts.into_iter().rev();
        conjuncts.fold(last.unwrap_or_default(), |rest, test| {
            let value = self.condition_value(message, test, within);
            match test.bound_name().map(template_variable) {
                Some(binding) => quote! {
                    match #value {
                        #p::Some(#binding) => #rest,
                        #p::None => false,
                    }
                },
                None => quote!((#value && #rest)),
            }
        })
    }
}

impl CaseEmitter<'_> {
    /// A value compared with a constant: `CompareText::is_text(&self.mode, "brief")`.
    fn compare_with_constant(
        &self,
        message: &TemplateMessage,
        value: &SlotValue,
        op: CompareOp,
        literal: &prompt_syntax::Literal,
        span: prompt_base::Span,
    ) -> TokenStream {
        let (p, at) = (&self.emitter.runtime, self.error_span(message, value));
        let (trait_name, method, kind) = match literal {
            prompt_syntax::Literal::Int(_) => ("CompareNumber", "compare_int", "a number"),
            prompt_syntax::Literal::Float(_) => ("CompareNumber", "compare_float", "a number"),
            prompt_syntax::Literal::Bool(_) => ("CompareBool", "is_bool", "a boolean"),
            prompt_syntax::Literal::Str(_) | prompt_syntax::Literal::None => {
                ("CompareText", "is_text", "a string")
            }
        };
        let (bound, method) = (Ident::new(trait_name, at), Ident::new(method, at));
        let reference = self.value_reference(message, value);
        let constant = self::literal_tokens(literal, Span::call_site());
        let checks = self.asserted_comparison(message, value, literal, kind, span, &reference);
        let compared = quote_spanned!(at=> #p::#bound::#method(#reference, #constant));
        let ordering = match op {
            CompareOp::Ne => "is_ne",
            CompareOp::Lt => "is_lt",
            CompareOp::Le => "is_le",
            CompareOp::Gt => "is_gt",
            CompareOp::Ge => "is_ge",
            _ => "is_eq",
        };
        let ordering = Ident::new(ordering, Span::call_site());
        let holds = match (kind, op) {
            // A value that is not a number differs from each number.
            ("a number", CompareOp::Ne) => {
                quote!(#compared.is_none_or(#p::core::cmp::Ordering::#ordering))
            }
            ("a number", _) => {
                quote!(#compared.is_some_and(#p::core::cmp::Ordering::#ordering))
            }
            (_, CompareOp::Ne) => quote!(!#compared),
            _ => compared,
        };
        match checks {
            // The condition may be the value of a `let … else`, where Rust does not allow a `}` before `else`; a call ends with `)`.
            Some(checks) => quote!(#p::core::convert::identity({ #checks #holds })),
            None => quote!(#holds),
        }
    }
}

/// The pattern that the value of a condition must match.
fn condition_pattern(test: &Condition, p: &Runtime) -> TokenStream {
    match test.bound_name().map(template_variable) {
        Some(binding) => quote!(#p::Some(#binding)),
        None => quote!(true),
    }
}

/// Whether a condition binds a value that another part of it uses.
fn binds_value(test: &Condition) -> bool {
    let mut conjuncts = Vec::new();
    collect_conjuncts(test, &mut conjuncts);
    conjuncts.iter().any(|test| test.bound_name().is_some())
}

/// The conditions that must all hold.
fn collect_conjuncts<'a>(test: &'a Condition, conjuncts: &mut Vec<&'a Condition>) {
    match test {
        Condition::And(sides) => {
            collect_conjuncts(&sides.0, conjuncts);
            collect_conjuncts(&sides.1, conjuncts);
        }
        other => conjuncts.push(other),
    }
}

impl CaseEmitter<'_> {
    /// A reference to a value that can be a trait object: what a block binds may be a `str`.
    pub(super) fn sized_reference(
        &self,
        message: &TemplateMessage,
        value: &SlotValue,
    ) -> TokenStream {
        match value {
            SlotValue::Place(place) if place.is_local() => {
                let at = self.error_span(message, value);
                let local = self.place_reference(message, place);
                quote_spanned!(at=> &#local)
            }
            other => self.value_reference(message, other),
        }
    }

    /// A reference to a value.
    pub(super) fn value_reference(
        &self,
        message: &TemplateMessage,
        value: &SlotValue,
    ) -> TokenStream {
        match value {
            SlotValue::Place(place) => self.place_reference(message, place),
            SlotValue::Literal(literal) => {
                let at = Span::call_site().located_at(message.at);
                let literal = self::literal_tokens(literal, at);
                quote_spanned!(at=> &#literal)
            }
            SlotValue::Filter {
                name,
                value: inner,
                args,
                span,
            } => self.apply_filters(message, value, (name, inner, args), *span),
        }
    }

    fn apply_filters(
        &self,
        message: &TemplateMessage,
        filter: &SlotValue,
        (name, value, args): (&[String], &SlotValue, &[SlotValue]),
        span: prompt_base::Span,
    ) -> TokenStream {
        // rustc suggests other functions and arguments for the underlined code. For a literal, that would be the template.
        let is_own = name.len() > 1;
        let at = if is_own {
            message.at
        } else {
            self.case.sources[message.source].span(span)
        };
        let at = Span::call_site().located_at(at);
        let value = self.value_reference(message, value);
        // A length or a width is a number, which is passed by value.
        let by_value = matches!(name, [name] if name != "join");
        let args = args.iter().map(|arg| match arg {
            SlotValue::Literal(literal) if is_own => {
                self::literal_tokens(literal, Span::call_site())
            }
            SlotValue::Literal(literal) => self::literal_tokens(literal, at),
            SlotValue::Place(place) if by_value => {
                let at = self.at_place(message, place);
                let reference = self.place_reference(message, place);
                quote_spanned!(at=> *#reference)
            }
            other => self.value_reference(message, other),
        });
        let path = match name {
            [name] => {
                let (p, name) = (self.emitter.runtime_at(at), Ident::new(name, at));
                quote_spanned!(at=> #p::filter::#name)
            }
            path => {
                let path = path.iter().map(|segment| match segment.as_str() {
                    "self" | "super" | "crate" | "Self" => Ident::new(segment, at),
                    other => ident_or_raw(other, at),
                });
                quote_spanned!(at=> #(#path)::*)
            }
        };
        let call = quote_spanned!(at=> #path(#value #(, #args)*));
        if is_own {
            let call = self.result_of_own(message, at, call, |see| {
                filter.each_place(&mut |place| see(place));
            });
            return quote_spanned!(at=> &#call);
        }
        quote_spanned!(at=> &#call)
    }

    /// The call of a function of the program. It can return a user's text for a number, so that in the system message its result
    /// must be `SystemSafe`, unless all fields that it is made from are marked as trusted. The variables of `prompt!` have no marks.
    pub(super) fn result_of_own(
        &self,
        message: &TemplateMessage,
        at: Span,
        call: TokenStream,
        places: impl FnOnce(&mut dyn FnMut(&PlaceExpr)),
    ) -> TokenStream {
        // Code without a role precedes the messages, and its variables may be used in a system message. A fragment has no role either: the
        // prompt that uses it decides.
        let in_system = match message.role {
            Some(role) => role == Role::System,
            None => !self.case.fragment,
        };
        let mut is_marked = true;
        places(&mut |place| {
            let field = self.case.case.fields.get(place.origin);
            is_marked &= field.is_none_or(|field| {
                field.keys.has("trusted") && !matches!(field.ty, Type::Verbatim(_))
            });
        });
        if !in_system || is_marked {
            return call;
        }
        let p = self.emitter.runtime_at(at);
        quote_spanned!(at=> #p::in_system(#call))
    }

    pub(super) fn place_reference(
        &self,
        message: &TemplateMessage,
        place: &PlaceExpr,
    ) -> TokenStream {
        let at = self.at_place(message, place);
        let rest: Vec<Ident> = place
            .rest
            .iter()
            .map(|name| ident_or_raw(name, at))
            .collect();
        let root = match &place.root {
            Root::Field(index) => {
                let field = &self.case.case.fields[*index];
                if !self.emitter.bound {
                    let (this, name) = (Ident::new("self", at), at_span(&field.ident, at));
                    return self.path_reference(
                        message,
                        place,
                        &quote_spanned!(at=> #this.#name),
                        &rest,
                    );
                }
                at_span(&field_variable(field), at)
            }
            Root::Local(local) => at_span(&template_variable(local), at),
        };
        match rest[..] {
            [] => quote!(#root),
            _ => self.path_reference(message, place, &quote!(#root), &rest),
        }
    }

    /// A reference to a part of a value. rustc can mark the whole template only, so the name of the macro, which it prints with an error
    /// about the part, contains the position and what leads to a suggestion.
    ///
    /// The fields of a struct with `#[derive(Fields)]` are checked by a constant, whose error is drawn:
    ///
    /// ```text
    /// {
    ///     macro_rules! slot_in_ask_rs_line_4_column_10__add_derive_Fields_to_Document { ($value:expr) => { &$value.titel } }
    ///     let root: CheckedPath<'_, _, { expect_path(FieldsOf::<Document>::FIELDS, "document", &["titel"], "…") }> = CheckedPath(&document);
    ///     slot_in_ask_rs_line_4_column_10__add_derive_Fields_to_Document!((*root.0))
    /// }
    /// ```
    fn path_reference(
        &self,
        message: &TemplateMessage,
        place: &PlaceExpr,
        root: &TokenStream,
        rest: &[Ident],
    ) -> TokenStream {
        let at = self.at_place(message, place);
        if rest.is_empty() {
            return quote_spanned!(at=> &#root);
        }
        let (file, line, column) = self.case.sources[message.source].position(place.span);
        let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
        let file = file.replace(|char: char| !char.is_ascii_alphanumeric(), "_");
        let known = self.struct_of(place);
        let of = known.unwrap_or_else(|| "the_struct".to_owned());
        let name = format!("slot_in_{file}_line_{line}_column_{column}__add_derive_Fields_to_{of}");
        let name = Ident::new(&name, at);
        let (mut checked, mut root) = (None, root.clone());
        if let Some(check) = self.checked_path(message, place) {
            let p = self.emitter.runtime_at(at);
            let local = Ident::new("root", Span::mixed_site().located_at(at));
            // A variable is a reference already.
            let reference = match place.root {
                Root::Field(_) if !self.emitter.bound => quote_spanned!(at=> &#root),
                _ => root,
            };
            checked = Some(quote_spanned! {at=>
                let #local: #p::CheckedPath<'_, _, { #check }> = #p::CheckedPath(#reference);
            });
            root = quote_spanned!(at=> (*#local.0));
        }
        quote_spanned!(at=> {
            macro_rules! #name {
                ($value:expr) => { &$value #(.#rest)* };
            }
            #checked
            #name!(#root)
        })
    }

    /// The span of an error about a value: the type of its field, or else the template.
    pub(super) fn error_span(&self, message: &TemplateMessage, value: &SlotValue) -> Span {
        match value {
            SlotValue::Place(place) => self.at_place(message, place),
            SlotValue::Filter { span, .. } => {
                Span::call_site().located_at(self.case.sources[message.source].span(*span))
            }
            SlotValue::Literal(_) => Span::call_site().located_at(message.at),
        }
    }

    pub(super) fn at_place(&self, message: &TemplateMessage, place: &PlaceExpr) -> Span {
        let at = match place.root {
            Root::Field(index) if place.rest.is_empty() => {
                of_type(&self.case.case.fields[index].ty)
            }
            _ => self.case.sources[message.source].span(place.span),
        };
        Span::call_site().located_at(at)
    }

    /// A reference to a whole field.
    pub(super) fn field_reference(&self, field: &Field) -> TokenStream {
        let at = Span::call_site().located_at(of_type(&field.ty));
        if self.emitter.bound {
            let local = at_span(&field_variable(field), at);
            return quote!(#local);
        }
        let (this, name) = (Ident::new("self", at), at_span(&field.ident, at));
        quote_spanned!(at=> &#this.#name)
    }

    /// The types in the system message that are safe by their name: rustc checks that the name refers to the expected type.
    pub(super) fn safe_by_name(&self) -> impl Iterator<Item = &Type> {
        let fields = self.case.case.fields.iter().enumerate();
        fields
            .filter(|(index, field)| {
                !field.keys.has("trusted") && first_in_system(self.case, *index).is_some()
            })
            .map(|(_, field)| &field.ty)
            .filter(|ty| is_safe_by_name(ty))
    }
}

/// The span of a type for errors: its last name, since a span over several tokens is not available.
pub(crate) fn of_type(ty: &Type) -> Span {
    match ty {
        Type::Reference(reference) => of_type(&reference.elem),
        Type::Paren(inner) => of_type(&inner.elem),
        Type::Group(inner) => of_type(&inner.elem),
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map_or_else(|| ty.span(), |last| last.ident.span()),
        _ => ty.span(),
    }
}

/// The variable that a field is bound to. Its hygiene keeps it apart from the user's names.
pub(crate) fn field_variable(field: &Field) -> Ident {
    let mut name = field.name.clone();
    if OWN_NAMES.contains(&name.as_str()) {
        name.push_str("_of_input");
    }
    ident_or_raw(&name, Span::mixed_site())
}

/// The same name with another span for errors.
pub(super) fn at_span(name: &Ident, at: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().located_at(at));
    name
}

pub(super) fn literal_tokens(literal: &prompt_syntax::Literal, at: Span) -> TokenStream {
    let mut token = match literal {
        prompt_syntax::Literal::Str(text) => Literal::string(text),
        prompt_syntax::Literal::Int(number) => Literal::i64_unsuffixed(*number),
        prompt_syntax::Literal::Float(number) => Literal::f64_unsuffixed(*number),
        prompt_syntax::Literal::Bool(value) => return quote_spanned!(at=> #value),
        prompt_syntax::Literal::None => Literal::string("None"),
    };
    token.set_span(at);
    quote!(#token)
}
