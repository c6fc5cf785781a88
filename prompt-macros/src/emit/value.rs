//! Values: how a field, a variable or the result of a filter is reached.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use super::CaseEmitter;
use crate::input::Field;
use crate::model::{Message, Place, Root, Value, is_safe_by_name};
use crate::place::{OWN_NAMES, identifier, variable};

impl CaseEmitter<'_> {
    /// A reference to a value that can be a trait object: what a block binds may be a `str`.
    pub(super) fn sized(&self, message: &Message, value: &Value) -> TokenStream {
        match value {
            Value::Place(place) if place.is_local() => {
                let at = self.at(message, value);
                let local = self.reference(message, place);
                quote_spanned!(at=> &#local)
            }
            other => self.value(message, other),
        }
    }

    /// A reference to a value.
    pub(super) fn value(&self, message: &Message, value: &Value) -> TokenStream {
        match value {
            Value::Place(place) => self.reference(message, place),
            Value::Literal(literal) => {
                let at = Span::call_site().located_at(message.at);
                let literal = self::literal(literal, at);
                quote_spanned!(at=> &#literal)
            }
            Value::Filter {
                name,
                value,
                args,
                span,
            } => self.filtered(message, name, value, args, *span),
        }
    }

    fn filtered(
        &self,
        message: &Message,
        name: &[String],
        value: &Value,
        args: &[Value],
        span: prompt_syntax::Span,
    ) -> TokenStream {
        // rustc offers other functions and arguments in the place of what it marks: of a literal that would be the template.
        let is_own = name.len() > 1;
        let at = if is_own {
            message.at
        } else {
            self.case.sources[message.source].span(span)
        };
        let at = Span::call_site().located_at(at);
        let value = self.value(message, value);
        // A length or a width is a number, and given as itself.
        let by_value = matches!(name, [name] if name != "join");
        let args = args.iter().map(|arg| match arg {
            Value::Literal(literal) if is_own => self::literal(literal, Span::call_site()),
            Value::Literal(literal) => self::literal(literal, at),
            Value::Place(place) if by_value => {
                let at = self.at_place(message, place);
                let reference = self.reference(message, place);
                quote_spanned!(at=> *#reference)
            }
            other => self.value(message, other),
        });
        let path = match name {
            [name] => {
                let (p, name) = (self.emitter.private_at(at), Ident::new(name, at));
                quote_spanned!(at=> #p::filter::#name)
            }
            path => {
                let path = path.iter().map(|segment| match segment.as_str() {
                    "self" | "super" | "crate" | "Self" => Ident::new(segment, at),
                    other => identifier(other, at),
                });
                quote_spanned!(at=> #(#path)::*)
            }
        };
        quote_spanned!(at=> &#path(#value #(, #args)*))
    }

    pub(super) fn reference(&self, message: &Message, place: &Place) -> TokenStream {
        let at = self.at_place(message, place);
        let rest: Vec<Ident> = place.rest.iter().map(|name| identifier(name, at)).collect();
        let root = match &place.root {
            Root::Field(index) => {
                let field = &self.case.case.fields[*index];
                if !self.emitter.bound {
                    let (this, name) = (Ident::new("self", at), located(&field.ident, at));
                    return quote_spanned!(at=> &#this.#name #(.#rest)*);
                }
                located(&local(field), at)
            }
            Root::Local(local) => located(&variable(local), at),
        };
        match rest[..] {
            [] => quote!(#root),
            _ => quote_spanned!(at=> &#root #(.#rest)*),
        }
    }

    /// Where an error about a value points: at its field, where the type stands; else at the template.
    pub(super) fn at(&self, message: &Message, value: &Value) -> Span {
        match value {
            Value::Place(place) => self.at_place(message, place),
            Value::Filter { span, .. } => {
                Span::call_site().located_at(self.case.sources[message.source].span(*span))
            }
            Value::Literal(_) => Span::call_site().located_at(message.at),
        }
    }

    pub(super) fn at_place(&self, message: &Message, place: &Place) -> Span {
        let at = match place.root {
            Root::Field(index) if place.rest.is_empty() => {
                of_type(&self.case.case.fields[index].ty)
            }
            _ => self.case.sources[message.source].span(place.span),
        };
        Span::call_site().located_at(at)
    }

    /// A reference to a whole field.
    pub(super) fn field(&self, field: &Field) -> TokenStream {
        let at = Span::call_site().located_at(of_type(&field.ty));
        if self.emitter.bound {
            let local = located(&local(field), at);
            return quote!(#local);
        }
        let (this, name) = (Ident::new("self", at), located(&field.ident, at));
        quote_spanned!(at=> &#this.#name)
    }

    /// The types in the system message that only their name makes safe.
    pub(super) fn safe_by_name(&self) -> impl Iterator<Item = &Type> {
        let system = crate::uses::used_in_system(self.case);
        let fields = self.case.case.fields.iter().enumerate();
        fields
            .filter(move |(index, field)| system.contains(index) && !field.keys.has("trusted"))
            .map(|(_, field)| &field.ty)
            .filter(|ty| is_safe_by_name(ty))
    }
}

/// Where a type is marked: at its own name, since a span over several tokens is not to be had.
pub(super) fn of_type(ty: &Type) -> Span {
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

/// The name that a variant's field is bound to, which no name of the user's can hide.
pub(crate) fn local(field: &Field) -> Ident {
    let mut name = field.name.clone();
    if OWN_NAMES.contains(&name.as_str()) {
        name.push_str("_of_input");
    }
    identifier(&name, Span::mixed_site())
}

/// The same name, at the place that an error about it should point at.
pub(super) fn located(name: &Ident, at: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().located_at(at));
    name
}

pub(super) fn literal(literal: &prompt_syntax::Literal, at: Span) -> TokenStream {
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
