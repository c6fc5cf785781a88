//! What a field's type can be filled with from a row.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use prompt_syntax::problem::examples as problem;
use prompt_syntax::problem::examples::Meant;
use prompt_syntax::{Error, Spanned};
use quote::quote;
use syn::Type;

use super::json::Json;
use crate::emit::Runtime;
use crate::types::{FLOATS, INTEGERS, Tokens, inner, number_named};

/// A type, as far as its tokens tell. An alias tells nothing.
#[derive(Clone)]
pub(crate) enum Shape {
    Text,
    Char,
    Bool,
    /// The number's type, by its name.
    Number(&'static str),
    Option(Box<Shape>),
    List(Box<Shape>),
    /// Only rustc knows.
    Other(Box<Type>),
}

/// A value of a row, of its field's shape.
pub(crate) enum Cell {
    Text(String),
    Char(char),
    Bool(bool),
    /// With its type.
    Number(String, &'static str),
    None,
    Some(Box<Cell>),
    List(Vec<Cell>),
    /// A text that becomes a value of a type that only rustc knows, and where it stands.
    Made(String, prompt_syntax::Span),
}

impl Shape {
    pub(crate) fn of(ty: &Type) -> Shape {
        let other = || Shape::Other(Box::new(ty.clone()));
        match Tokens::of(ty) {
            Tokens::Items(items) => Shape::List(Box::new(Shape::of(items))),
            Tokens::Path(last, name, is_alone) => match (name.as_str(), inner(last).map(Shape::of))
            {
                ("str" | "String", None) => Shape::Text,
                ("bool", None) => Shape::Bool,
                ("char", None) => Shape::Char,
                ("Cow" | "Box" | "Arc" | "Rc" | "Trusted", Some(inner)) => inner,
                ("Option", Some(inner)) => Shape::Option(Box::new(inner)),
                ("Vec" | "VecDeque" | "LinkedList", Some(inner)) => Shape::List(Box::new(inner)),
                (name, None) if is_alone => number_named(name).map_or_else(other, Shape::Number),
                _ => other(),
            },
            Tokens::Tuple(_) | Tokens::Other => other(),
        }
    }

    /// What it takes, for messages.
    fn takes(&self) -> String {
        match self {
            Shape::Text => "a text".into(),
            Shape::Char => "a string of one character".into(),
            Shape::Bool => "`true` or `false`".into(),
            Shape::Number(name) if FLOATS.contains(name) => "a number".into(),
            Shape::Number(name) => format!("a whole number, `{name}`"),
            Shape::Option(inner) => format!("{} or `null`", inner.takes()),
            Shape::List(_) => "a list".into(),
            Shape::Other(_) => "a text".into(),
        }
    }

    /// The value of a row, or what is wrong with it.
    pub(super) fn read(&self, name: &str, json: &Spanned<Json>) -> Result<Cell, Error> {
        let wrong = || {
            let (kind, takes) = (json.value.kind(), self.takes());
            problem::wrong_type(name, kind, &takes, self.meant(&json.value)).at(json.span)
        };
        Ok(match (self, &json.value) {
            (Shape::Option(_), Json::Null) => Cell::None,
            (Shape::Option(inner), _) => Cell::Some(Box::new(inner.read(name, json)?)),
            (Shape::Text, Json::Text(text)) => Cell::Text(text.clone()),
            (Shape::Other(_), Json::Text(text)) => Cell::Made(text.clone(), json.span),
            (Shape::Bool, Json::Bool(value)) => Cell::Bool(*value),
            (Shape::Char, Json::Text(text)) => {
                let mut chars = text.chars();
                match (chars.next(), chars.next()) {
                    (Some(char), None) => Cell::Char(char),
                    _ => return Err(wrong()),
                }
            }
            (Shape::Number(ty), Json::Number(number)) => {
                if !fits(number, ty) {
                    return Err(problem::too_large(number, name, ty, &self.takes()).at(json.span));
                }
                Cell::Number(number.clone(), ty)
            }
            (Shape::List(inner), Json::List(items)) => {
                let items = items.iter().map(|item| inner.read(name, item));
                Cell::List(items.collect::<Result<_, _>>()?)
            }
            _ => return Err(wrong()),
        })
    }

    /// What was meant by a value of another type.
    fn meant<'a>(&self, json: &'a Json) -> Option<Meant<'a>> {
        match (self, json) {
            (Shape::Option(inner), _) => inner.meant(json),
            (Shape::Text | Shape::Other(_), Json::Number(number)) => Some(Meant::Text(number)),
            (Shape::Text | Shape::Other(_), Json::Bool(true)) => Some(Meant::Text("true")),
            (Shape::Text | Shape::Other(_), Json::Bool(false)) => Some(Meant::Text("false")),
            (Shape::Number(ty), Json::Text(text)) if fits(text, ty) => Some(Meant::Bare(text)),
            (Shape::Bool, Json::Text(text)) if ["true", "false"].contains(&text.as_str()) => {
                Some(Meant::Bare(text))
            }
            (_, Json::Null) => Some(Meant::Value),
            _ => None,
        }
    }

    /// Whether values of it can be constants.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            Shape::Option(inner) | Shape::List(inner) => inner.is_constant(),
            Shape::Other(_) => false,
            _ => true,
        }
    }

    /// The type of its values in generated code.
    pub(crate) fn ty(&self, p: &Runtime) -> TokenStream {
        match self {
            Shape::Text => quote!(&'static #p::core::primitive::str),
            Shape::Char => quote!(#p::core::primitive::char),
            Shape::Bool => quote!(#p::core::primitive::bool),
            Shape::Number(name) => {
                let name = Ident::new(name, Span::call_site());
                quote!(#p::core::primitive::#name)
            }
            Shape::Option(inner) => {
                let inner = inner.ty(p);
                quote!(#p::Option<#inner>)
            }
            Shape::List(inner) if inner.is_constant() => {
                let inner = inner.ty(p);
                quote!(&'static [#inner])
            }
            Shape::List(inner) => {
                let inner = inner.ty(p);
                quote!(#p::Vec<#inner>)
            }
            Shape::Other(ty) => quote!(#ty),
        }
    }
}

impl Cell {
    /// The value in generated code. `made` makes a value that only rustc knows.
    pub(crate) fn tokens(
        &self,
        shape: &Shape,
        p: &Runtime,
        made: &impl Fn(&str, prompt_syntax::Span) -> TokenStream,
    ) -> TokenStream {
        match (self, shape) {
            (Cell::Some(cell), Shape::Option(shape)) => {
                let value = cell.tokens(shape, p, made);
                quote!(#p::Some(#value))
            }
            (Cell::List(cells), Shape::List(shape)) => {
                let values = cells.iter().map(|cell| cell.tokens(shape, p, made));
                if shape.is_constant() {
                    quote!(&[#(#values),*])
                } else {
                    quote!(#p::Vec::from([#(#values),*]))
                }
            }
            (Cell::Text(text), _) => quote!(#text),
            (Cell::Char(char), _) => quote!(#char),
            (Cell::Bool(value), _) => quote!(#value),
            (Cell::Number(number, ty), _) => number_tokens(number, ty),
            (Cell::Made(text, span), _) => made(text, *span),
            (Cell::None | Cell::Some(_) | Cell::List(_), _) => quote!(#p::None),
        }
    }
}

/// Whether a number of JSON is one of a type.
fn fits(number: &str, ty: &str) -> bool {
    let Some((_, least, most)) = INTEGERS.iter().find(|(name, ..)| *name == ty) else {
        let finite = |value: f64| value.is_finite() && (ty == "f64" || (value as f32).is_finite());
        return number.parse().is_ok_and(finite);
    };
    match number.strip_prefix('-') {
        Some(_) => number
            .parse::<i128>()
            .is_ok_and(|value| *least < 0 && value >= *least),
        None => number.parse::<u128>().is_ok_and(|value| value <= *most),
    }
}

fn number_tokens(number: &str, ty: &str) -> TokenStream {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => (Some(quote!(-)), digits),
        None => (None, number),
    };
    // JSON may write `1E9` and `1`, where Rust wants `1e9f64` and `1f64`.
    let literal: Literal = format!("{}{ty}", digits.to_ascii_lowercase().replace("e+", "e"))
        .parse()
        .unwrap_or_else(|_| Literal::u8_suffixed(0));
    quote!(#sign #literal)
}
