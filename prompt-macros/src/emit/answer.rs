//! What a model's answer is read into.

use proc_macro2::{Group, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

use super::is_string;
use super::tokens::braced;
use crate::runtime::Runtime;

/// What an answer is: text, or a type.
pub(crate) struct Answer<'a> {
    pub(crate) ty: Output<'a>,
    /// The method that gives its schema; text has none.
    pub(crate) schema: Option<TokenStream>,
    /// The block that reads it.
    pub(crate) read: Group,
}

/// The type of an answer.
pub(crate) enum Output<'a> {
    Text(&'a Runtime),
    Given(&'a Type),
}

impl<'a> Answer<'a> {
    pub(crate) fn of(output: Option<&'a Type>, p: &'a Runtime) -> Answer<'a> {
        match output {
            Some(ty) if !is_string(ty) => Answer {
                ty: Output::Given(ty),
                schema: Some(
                    quote!(fn output_schema() -> #p::Schema { #p::answer::<#ty>().schema() }),
                ),
                read: braced(quote!(#p::answer::<#ty>().read(reply))),
            },
            _ => Answer {
                ty: Output::Text(p),
                schema: None,
                read: braced(quote!(#p::read_text(reply))),
            },
        }
    }
}

impl ToTokens for Output<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Output::Text(p) => p.item("String", tokens),
            Output::Given(ty) => ty.to_tokens(tokens),
        }
    }
}
