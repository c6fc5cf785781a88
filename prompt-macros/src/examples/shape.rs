//! The conversion of a JSON value of a row into the type of a field.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use prompt_syntax::problem::examples as problem;
use prompt_syntax::problem::examples::IntendedValue;
use prompt_syntax::{Error, Spanned};
use quote::quote;
use syn::Type;

use super::json::JsonTree;
use crate::emit::Runtime;
use crate::types::{FLOATS, INTEGERS, TypeTokens, last_type_argument, number_named};

/// A type as parsed from its tokens. An alias is not resolved.
#[derive(Clone)]
pub(crate) enum ColumnType {
    Text,
    Char,
    Bool,
    /// The number's type, by its name.
    Number(&'static str),
    Option(Box<ColumnType>),
    List(Box<ColumnType>),
    /// A type that only rustc can resolve.
    Other(Box<Type>),
}

/// A value of a row, of its field's shape.
pub(crate) enum RowValue {
    Text(String),
    Char(char),
    Bool(bool),
    /// With its type.
    Number(String, &'static str),
    None,
    Some(Box<RowValue>),
    List(Vec<RowValue>),
    /// A string that is converted to a value of a type that only rustc can resolve, and its span.
    Made(String, prompt_base::Span),
}

impl ColumnType {
    pub(crate) fn from_type(ty: &Type) -> ColumnType {
        let other = || ColumnType::Other(Box::new(ty.clone()));
        match TypeTokens::from_type(ty) {
            TypeTokens::Items(items) => ColumnType::List(Box::new(ColumnType::from_type(items))),
            TypeTokens::Path(last, name, is_alone) => {
                match (
                    name.as_str(),
                    last_type_argument(last).map(ColumnType::from_type),
                ) {
                    ("str" | "String", None) => ColumnType::Text,
                    ("bool", None) => ColumnType::Bool,
                    ("char", None) => ColumnType::Char,
                    ("Cow" | "Box" | "Arc" | "Rc" | "Trusted", Some(inner)) => inner,
                    ("Option", Some(inner)) => ColumnType::Option(Box::new(inner)),
                    ("Vec" | "VecDeque" | "LinkedList", Some(inner)) => {
                        ColumnType::List(Box::new(inner))
                    }
                    (name, None) if is_alone => {
                        number_named(name).map_or_else(other, ColumnType::Number)
                    }
                    _ => other(),
                }
            }
            TypeTokens::Other => other(),
        }
    }

    /// The accepted value, for messages.
    fn describe_values(&self) -> String {
        match self {
            ColumnType::Text => "a string".into(),
            ColumnType::Char => "a string of one character".into(),
            ColumnType::Bool => "`true` or `false`".into(),
            ColumnType::Number(name) if FLOATS.contains(name) => "a number".into(),
            ColumnType::Number(name) => format!("a whole number, `{name}`"),
            ColumnType::Option(inner) => format!("{} or `null`", inner.describe_values()),
            ColumnType::List(_) => "a list".into(),
            ColumnType::Other(_) => "a string".into(),
        }
    }

    /// The value of a row, or what is wrong with it.
    pub(super) fn read_value(
        &self,
        name: &str,
        json: &Spanned<JsonTree>,
    ) -> Result<RowValue, Error> {
        let wrong = || {
            let (kind, takes) = (json.value.kind(), self.describe_values());
            problem::wrong_type(name, kind, &takes, self.intended_value(&json.value)).at(json.span)
        };
        Ok(match (self, &json.value) {
            (ColumnType::Option(_), JsonTree::Null) => RowValue::None,
            (ColumnType::Option(inner), _) => {
                RowValue::Some(Box::new(inner.read_value(name, json)?))
            }
            (ColumnType::Text, JsonTree::Text(text)) => RowValue::Text(text.clone()),
            (ColumnType::Other(_), JsonTree::Text(text)) => RowValue::Made(text.clone(), json.span),
            (ColumnType::Bool, JsonTree::Bool(value)) => RowValue::Bool(*value),
            (ColumnType::Char, JsonTree::Text(text)) => {
                let mut chars = text.chars();
                match (chars.next(), chars.next()) {
                    (Some(char), None) => RowValue::Char(char),
                    _ => return Err(wrong()),
                }
            }
            (ColumnType::Number(ty), JsonTree::Number(number)) => {
                if !fits_number_type(number, ty) {
                    return Err(
                        problem::too_large(number, name, ty, &self.describe_values()).at(json.span),
                    );
                }
                RowValue::Number(number.clone(), ty)
            }
            (ColumnType::List(inner), JsonTree::List(items)) => {
                let items = items.iter().map(|item| inner.read_value(name, item));
                RowValue::List(items.collect::<Result<_, _>>()?)
            }
            _ => return Err(wrong()),
        })
    }

    /// The intended value, if a value has another type.
    fn intended_value<'a>(&self, json: &'a JsonTree) -> Option<IntendedValue<'a>> {
        match (self, json) {
            (ColumnType::Option(inner), _) => inner.intended_value(json),
            (ColumnType::Text | ColumnType::Other(_), JsonTree::Number(number)) => {
                Some(IntendedValue::Text(number))
            }
            (ColumnType::Text | ColumnType::Other(_), JsonTree::Bool(true)) => {
                Some(IntendedValue::Text("true"))
            }
            (ColumnType::Text | ColumnType::Other(_), JsonTree::Bool(false)) => {
                Some(IntendedValue::Text("false"))
            }
            (ColumnType::Number(ty), JsonTree::Text(text)) if fits_number_type(text, ty) => {
                Some(IntendedValue::Bare(text))
            }
            (ColumnType::Bool, JsonTree::Text(text))
                if ["true", "false"].contains(&text.as_str()) =>
            {
                Some(IntendedValue::Bare(text))
            }
            (_, JsonTree::Null) => Some(IntendedValue::Value),
            _ => None,
        }
    }

    /// Whether values of it can be constants.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            ColumnType::Option(inner) | ColumnType::List(inner) => inner.is_constant(),
            ColumnType::Other(_) => false,
            _ => true,
        }
    }

    /// The type of its values in generated code.
    pub(crate) fn rust_type(&self, p: &Runtime) -> TokenStream {
        match self {
            ColumnType::Text => quote!(&'static #p::core::primitive::str),
            ColumnType::Char => quote!(#p::core::primitive::char),
            ColumnType::Bool => quote!(#p::core::primitive::bool),
            ColumnType::Number(name) => {
                let name = Ident::new(name, Span::call_site());
                quote!(#p::core::primitive::#name)
            }
            ColumnType::Option(inner) => {
                let inner = inner.rust_type(p);
                quote!(#p::Option<#inner>)
            }
            ColumnType::List(inner) if inner.is_constant() => {
                let inner = inner.rust_type(p);
                quote!(&'static [#inner])
            }
            ColumnType::List(inner) => {
                let inner = inner.rust_type(p);
                quote!(#p::Vec<#inner>)
            }
            ColumnType::Other(ty) => quote!(#ty),
        }
    }
}

impl RowValue {
    /// The strings that only rustc can convert, with their types.
    pub(super) fn each_converted_string(
        &self,
        shape: &ColumnType,
        see: &mut impl FnMut(&Type, &str, prompt_base::Span),
    ) {
        match (self, shape) {
            (RowValue::Made(text, span), ColumnType::Other(ty)) => see(ty, text, *span),
            (RowValue::Some(cell), ColumnType::Option(shape)) => {
                cell.each_converted_string(shape, see);
            }
            (RowValue::List(cells), ColumnType::List(shape)) => {
                cells
                    .iter()
                    .for_each(|cell| cell.each_converted_string(shape, see));
            }
            _ => {}
        }
    }

    /// The value in generated code. `made` converts a string to a value of a type that only rustc can resolve.
    pub(crate) fn value_tokens(
        &self,
        shape: &ColumnType,
        p: &Runtime,
        made: &impl Fn(&str) -> TokenStream,
    ) -> TokenStream {
        match (self, shape) {
            (RowValue::Some(cell), ColumnType::Option(shape)) => {
                let value = cell.value_tokens(shape, p, made);
                quote!(#p::Some(#value))
            }
            (RowValue::List(cells), ColumnType::List(shape)) => {
                let values = cells.iter().map(|cell| cell.value_tokens(shape, p, made));
                if shape.is_constant() {
                    quote!(&[#(#values),*])
                } else {
                    quote!(#p::Vec::from([#(#values),*]))
                }
            }
            (RowValue::Text(text), _) => quote!(#text),
            (RowValue::Char(char), _) => quote!(#char),
            (RowValue::Bool(value), _) => quote!(#value),
            (RowValue::Number(number, ty), _) => number_tokens(number, ty),
            (RowValue::Made(text, _), _) => made(text),
            (RowValue::None | RowValue::Some(_) | RowValue::List(_), _) => quote!(#p::None),
        }
    }
}

/// Whether a number of JSON is one of a type.
fn fits_number_type(number: &str, ty: &str) -> bool {
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
