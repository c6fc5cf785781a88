//! What a model's answer is read into.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::is_string;

/// What an answer is: text, or a type.
pub(crate) struct Answer {
    pub(crate) ty: TokenStream,
    /// The method that gives its schema; text has none.
    pub(crate) schema: TokenStream,
    pub(crate) read: TokenStream,
}

impl Answer {
    pub(crate) fn of(output: Option<&Type>, p: &TokenStream) -> Answer {
        match output {
            Some(ty) if !is_string(ty) => Answer {
                ty: quote!(#ty),
                schema: quote!(fn output_schema() -> #p::Schema { #p::answer::<#ty>().schema() }),
                read: quote!(#p::answer::<#ty>().read(reply)),
            },
            _ => Answer {
                ty: quote!(#p::String),
                schema: TokenStream::new(),
                read: quote!(#p::read_text(reply)),
            },
        }
    }
}
