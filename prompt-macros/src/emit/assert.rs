//! Slots and loops whose types the macro cannot determine: local traits make rustc's errors show the position in the template.

use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::problem::compare;
use prompt_syntax::problem::types::{self, TypeMismatch};
use prompt_syntax::{Dialect, Error};
use quote::{ToTokens as _, quote, quote_spanned};

use super::{CaseEmitter, Runtime, mentions_any, type_parameters};
use crate::input::MacroKind;
use crate::lower::{FieldUse, PlaceExpr, PlaceType as _, ResolvedSlot, SlotValue, TemplateMessage};
use crate::source::SourceText;
use crate::struct_fields::{fields_of, type_in_constant, unwrap_layers};
use crate::types::TypeTokens;

impl CaseEmitter<'_> {
    /// `out.slot("passage", …)`, with the type of [`slot_assertion`](Self::slot_assertion).
    pub(super) fn asserted_slot_call(
        &self,
        message: &TemplateMessage,
        slot: &ResolvedSlot,
        value: &TokenStream,
    ) -> TokenStream {
        let (out, name) = (&self.emitter.out, &slot.name);
        if self.case.dialect == Dialect::Jinja {
            let p = &self.emitter.runtime;
            let (ty, made) = (
                // The return type is opaque and implements `ToPrompt`, so that rustc reports a missing trait once.
                quote!(impl #p::ToPrompt + '_),
                quote!(#p::expr::Printed(value)),
            );
            return match self.slot_assertion(message, slot, value, &ty, &made) {
                Some(shown) => quote!(#out.slot(#name, &#shown)),
                None => quote!(#out.slot(#name, &#p::expr::Printed(#value))),
            };
        }
        let shown = self.asserted_slot(message, slot, value);
        let value = shown.as_ref().unwrap_or(value);
        quote!(#out.slot(#name, #value))
    }

    /// The value of such a slot of a dialect other than Jinja. `None` if errors cannot show a position.
    pub(super) fn asserted_slot(
        &self,
        message: &TemplateMessage,
        slot: &ResolvedSlot,
        value: &TokenStream,
    ) -> Option<TokenStream> {
        let p = &self.emitter.runtime;
        let (ty, made) = (quote!(&dyn #p::ToPrompt), quote!(value));
        self.slot_assertion(message, slot, value, &ty, &made)
    }

    /// ```text
    /// {
    ///     #[diagnostic::on_unimplemented(message = "…", label = "…", note = "the snippet")]
    ///     trait Slot: ToPrompt {}
    ///     #[diagnostic::do_not_recommend]
    ///     impl<T: ToPrompt + ?Sized> Slot for T {}
    ///     fn slot<T: Slot>(value: &T) -> &dyn ToPrompt { value }
    ///     slot(&self.passage)
    /// }
    /// ```
    ///
    /// `made` is the result of this function, of the type `ty`. `None` if errors cannot show a position.
    fn slot_assertion(
        &self,
        message: &TemplateMessage,
        slot: &ResolvedSlot,
        value: &TokenStream,
        ty: &TokenStream,
        made: &TokenStream,
    ) -> Option<TokenStream> {
        let (p, dialect) = (&self.emitter.runtime, self.case.dialect);
        let drawn = self.draw_position(message, slot.span, "this slot")?;
        let parameters = type_parameters(&self.emitter.prompt.input.generics);
        let mut field = None;
        slot.value
            .each_place(&mut |place| field = field.or(self.case.case.fields.get(place.origin)));
        let mut parameters = parameters.iter().filter(|name| {
            let names = std::slice::from_ref(*name);
            field.is_some_and(|field| mentions_any(field.ty.to_token_stream(), names))
        });
        let unfit = types::slot_mismatch(
            dialect,
            &slot.name,
            slot.fallback.is_some(),
            parameters.next().map(String::as_str),
            &drawn,
        );
        let at = self.error_span(message, &slot.value);
        // Hygienic names, which cannot collide with the user's.
        let function = Ident::new("slot", Span::mixed_site());
        let bound = match dialect {
            // A type with `Truthy` is not an `Option`.
            Dialect::Jinja => quote!(#p::expr::InSlot + #p::Truthy),
            _ => quote!(#p::ToPrompt),
        };
        let (assertion, declared) = self.declare_trait("Slot", &bound, &unfit);
        let call = {
            let function = super::at_span(&function, at);
            quote_spanned!(at=> #function(#value))
        };
        Some(quote! {{
            #declared
            fn #function<T: #assertion>(value: &T) -> #ty {
                #made
            }
            #call
        }})
    }

    /// The same for a field in an expression of the Jinja dialect.
    ///
    /// ```text
    /// {
    ///     …
    ///     trait Expression: ToValue {}
    ///     …
    ///     fn slot<T: Expression>(value: &T) -> expr::Value<'_> { expr::field_value("user.age", value) }
    ///     slot(&self.user.age)
    /// }
    /// ```
    #[cfg(feature = "jinja")]
    pub(super) fn asserted_value(
        &self,
        message: &TemplateMessage,
        place: &PlaceExpr,
        value: &TokenStream,
    ) -> TokenStream {
        let (p, name) = (&self.emitter.runtime, &place.name);
        let at = self.at_place(message, place);
        let Some(drawn) = self.draw_position(message, place.span, "this value") else {
            let p = self.emitter.runtime_at(at);
            return quote_spanned!(at=> #p::expr::field_value(#name, #value));
        };
        let unfit = prompt_jinja_syntax::problem::types::value_mismatch(name, &drawn);
        let function = Ident::new("slot", Span::mixed_site());
        let (assertion, declared) =
            self.declare_trait("Expression", &quote!(#p::expr::ToValue), &unfit);
        let call = {
            let function = super::at_span(&function, at);
            quote_spanned!(at=> #function(#value))
        };
        quote! {{
            #declared
            fn #function<T: #assertion + ?#p::core::marker::Sized>(value: &T) -> #p::expr::Value<'_> {
                #p::expr::field_value(#name, value)
            }
            #call
        }}
    }

    /// The same for the list of a loop.
    ///
    /// ```text
    /// {
    ///     …
    ///     trait Loop: List {}
    ///     …
    ///     fn __list<T: Loop>(_: &T) {}
    ///     __list(&self.people);
    ///     items(&self.people)
    /// }
    /// ```
    pub(super) fn asserted_list(
        &self,
        message: &TemplateMessage,
        place: &PlaceExpr,
        value: &TokenStream,
        second: Option<&String>,
    ) -> TokenStream {
        let (p, name) = (&self.emitter.runtime, &place.name);
        let at = self.at_place(message, place);
        let (bound, items) = match second {
            Some(_) => (quote!(#p::Pairs), Ident::new("iter_pairs", at)),
            None => (quote!(#p::List), Ident::new("iter_list", at)),
        };
        let Some(drawn) = self.draw_position(message, place.span, "this list") else {
            let p = self.emitter.runtime_at(at);
            return quote_spanned!(at=> #p::#items(#value));
        };
        let unfit = match second {
            Some(second) => types::pairs_mismatch(name, second, &drawn),
            None => types::list_mismatch(self.case.dialect, name, &drawn),
        };
        // With the span of its argument: rustc merges errors about a missing trait that have the same span.
        let function = Ident::new("__list", at);
        let (assertion, declared) = self.declare_trait("Loop", &bound, &unfit);
        // A variable has the hygiene of the macro and keeps its own span; the tokens around it take the span of the error.
        let list = if place.is_local() || self.emitter.bound {
            quote_spanned!(at=> &*(#value))
        } else {
            value.clone()
        };
        let call = {
            let p = self.emitter.runtime_at(at);
            quote_spanned!(at=> #function(#list); #p::#items(#list))
        };
        quote! {{
            #declared
            fn #function<T: #assertion + ?#p::core::marker::Sized>(_: &T) {}
            #call
        }}
    }

    /// The same for a value that is compared with a constant, and the check that a label exists.
    pub(super) fn asserted_comparison(
        &self,
        message: &TemplateMessage,
        value: &SlotValue,
        literal: &prompt_syntax::Literal,
        kind: &str,
        span: prompt_base::Span,
        reference: &TokenStream,
    ) -> Option<TokenStream> {
        let p = &self.emitter.runtime;
        let SlotValue::Place(place) = value else {
            return None;
        };
        let (mut checks, mut built) = (TokenStream::new(), None);
        if let prompt_syntax::Literal::Str(text) = literal {
            if place.is_plain_text(&self.case.case.fields) {
                return None;
            }
            let drawn = self.drawn_label(message, place, text, span);
            let at = self.at_place(message, place);
            let p = self.emitter.runtime_at(at);
            checks.extend(self.expected_label(message, place, text, span));
            // Only the monomorphic program has the labels of the type: this constant is evaluated by `cargo build`, not by `cargo check`.
            built = Some(quote_spanned!(at=> const {
                #p::expect_label(<T as #p::CompareText>::LABELS, #text, #drawn)
            }));
        }
        let name = &place.name;
        let Some(drawn) = self.draw_position(message, span, "this condition") else {
            return Some(checks);
        };
        let unfit = types::comparison_mismatch(name, kind, &drawn);
        let bound = match kind {
            "a number" => quote!(#p::CompareNumber),
            "a boolean" => quote!(#p::CompareBool),
            _ => quote!(#p::CompareText),
        };
        let at = self.at_place(message, place);
        let function = Ident::new("__compared", at);
        let (assertion, declared) = self.declare_trait("Compared", &bound, &unfit);
        let call = quote_spanned!(at=> #function(#reference););
        Some(quote! {
            #checks
            #declared
            fn #function<T: #assertion + ?#p::core::marker::Sized>(_: &T) {
                #built
            }
            #call
        })
    }

    /// The check that the type of a place has a label, if the tokens of the field's type show which it is.
    pub(super) fn expected_label(
        &self,
        message: &TemplateMessage,
        place: &PlaceExpr,
        text: &str,
        span: prompt_base::Span,
    ) -> Option<TokenStream> {
        let ty = self.constant_type(place)?;
        let drawn = self.drawn_label(message, place, text, span);
        let at = self.at_place(message, place);
        let p = self.emitter.runtime_at(at);
        Some(expected_label(&p, at, (&ty, &place.rest), text, &drawn))
    }

    /// The error about a string that is not a label of a place.
    fn drawn_label(
        &self,
        message: &TemplateMessage,
        place: &PlaceExpr,
        text: &str,
        span: prompt_base::Span,
    ) -> String {
        let what = match self.constant_type(place) {
            Some(ty) if place.rest.is_empty() => ty.to_string(),
            _ => place.name.clone(),
        };
        let source = &self.case.sources[message.source];
        // The string alone, so that the suggestion can replace it.
        let found = source.value.get(span.range()).and_then(|it| it.rfind(text));
        let start = found.map_or(span.start, |at| span.start + at);
        let end = found.map_or(span.end, |_| start + text.len());
        let span = prompt_base::Span::new(start, end);
        with_drawing(source, &compare::no_label(text, &what).at(span))
    }

    /// The name of the type at the root of a path of one field.
    pub(super) fn struct_of(&self, place: &PlaceExpr) -> Option<String> {
        let field = self.case.case.fields.get(place.origin)?;
        match TypeTokens::from_type(unwrap_layers(&field.ty, place.layers?)?) {
            TypeTokens::Path(_, name, _) if place.rest.len() == 1 => Some(name),
            _ => None,
        }
    }

    /// The type of the root of a place as a constant can name it, if the tokens of the field's type show it.
    fn constant_type(&self, place: &PlaceExpr) -> Option<TokenStream> {
        let input = self.emitter.prompt.input;
        let field = self.case.case.fields.get(place.origin)?;
        let ty = unwrap_layers(&field.ty, place.layers?)?;
        (!matches!(input.form, MacroKind::Inline))
            .then(|| type_in_constant(ty, &input.generics))
            .flatten()
    }

    /// The check that the fields of a path exist, as the expression of a constant.
    pub(super) fn checked_path(
        &self,
        message: &TemplateMessage,
        place: &PlaceExpr,
    ) -> Option<TokenStream> {
        let (at, path) = (self.at_place(message, place), &place.rest);
        let p = &self.emitter.runtime_at(at);
        let fields = fields_of(&self.constant_type(place)?, p);
        let drawn = self.draw_position(message, place.span, "unknown field")?;
        let parts = path.iter().map(|part| part.len() + 1).sum();
        let root = place.name.get(..place.name.len().checked_sub(parts)?)?;
        Some(quote_spanned! {at=>
            #[allow(unused_imports)]
            use #p::NoFields as _;
            #p::expect_path(#fields, #root, &[#(#path),*], #drawn)
        })
    }

    /// The same for the result of a user's function.
    #[cfg(feature = "jinja")]
    pub(super) fn asserted_made(
        &self,
        message: &TemplateMessage,
        name: &str,
        span: prompt_base::Span,
        made: &TokenStream,
    ) -> Option<TokenStream> {
        let p = &self.emitter.runtime;
        let drawn = self.draw_position(message, span, "this value")?;
        let unfit = prompt_jinja_syntax::problem::types::result_mismatch(&drawn);
        let function = Ident::new("made", Span::mixed_site().located_at(message.at));
        let (assertion, declared) = self.declare_trait("Made", &quote!(#p::expr::ToValue), &unfit);
        let at = Span::call_site().located_at(message.at);
        let call = quote_spanned!(at=> #function(#made));
        Some(quote! {{
            #declared
            fn #function<T: #assertion>(value: T) -> #p::expr::Value<'static> {
                #p::expr::function_result(#name, value)
            }
            #call
        }})
    }

    /// The same for a value of `prompt!` in the system message.
    pub(super) fn asserted_safe(
        &self,
        message: &TemplateMessage,
        place: &FieldUse,
        local: &Ident,
    ) -> TokenStream {
        let (p, name, at) = (&self.emitter.runtime, &place.name, local.span());
        let Some(drawn) = self.draw_position(message, place.span, "this slot") else {
            let p = self.emitter.runtime_at(at);
            return quote_spanned!(at=> #p::system_safe(#local););
        };
        let unfit = types::system_mismatch(name, &drawn);
        let function = Ident::new("slot", Span::mixed_site().located_at(at));
        let (assertion, declared) = self.declare_trait("System", &quote!(#p::SystemSafe), &unfit);
        let call = quote_spanned!(at=> #function(#local));
        quote! {{
            #declared
            fn #function<T: #assertion + ?#p::core::marker::Sized>(_: &T) {}
            #call;
        }}
    }

    /// The position in the template as a snippet, if errors about types can show it.
    fn draw_position(
        &self,
        message: &TemplateMessage,
        span: prompt_base::Span,
        label: &str,
    ) -> Option<String> {
        let source = &self.case.sources[message.source];
        source.draw(span, label, &[])
    }

    /// A trait that is equivalent to another one, with an error message of its own.
    pub(super) fn declare_trait(
        &self,
        name: &str,
        bound: &TokenStream,
        unfit: &TypeMismatch,
    ) -> (Ident, TokenStream) {
        let (p, name) = (&self.emitter.runtime, Ident::new(name, Span::mixed_site()));
        let (message, label) = (&unfit.message, unfit.label);
        let notes = unfit.notes.iter().map(|note| escape_braces(note));
        let declared = quote! {
            #[diagnostic::on_unimplemented(message = #message, label = #label #(, note = #notes)*)]
            trait #name: #bound {}
            #[diagnostic::do_not_recommend]
            impl<T: #bound + ?#p::core::marker::Sized> #name for T {}
        };
        (name, declared)
    }
}

/// An error with its position in the template. `expect_label` and `expect_path` add the help.
pub(super) fn with_drawing(source: &SourceText, error: &Error) -> String {
    let drawn = source.draw(error.span, error.label().unwrap_or_default(), &[]);
    format!("{}\n{}", error.message(), drawn.unwrap_or_default())
}

/// The check that a label of a type, or of the field at a path of it, exists.
pub(super) fn expected_label(
    p: &Runtime,
    at: Span,
    (ty, path): (&TokenStream, &[String]),
    text: &str,
    drawn: &str,
) -> TokenStream {
    let labels = match path {
        [] => quote!(#p::Labels::<#ty>::LABELS),
        path => {
            let fields = fields_of(ty, p);
            quote!(#p::labels_of(#fields, &[#(#path),*]))
        }
    };
    quote_spanned! {at=>
        const _: () = {
            #[allow(unused_imports)]
            use #p::{NoFields as _, NoLabels as _};
            #p::expect_label(#labels, #text, #drawn)
        };
    }
}

/// A text with escaped braces, since braces contain type parameters in the attribute.
fn escape_braces(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
