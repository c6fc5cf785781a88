//! What a model's answer is read into.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::is_string;

/// What an answer is: text, or a type.
pub(crate) struct Answer {
    pub(crate) ty: TokenStream,
    pub(crate) schema: TokenStream,
    pub(crate) read: TokenStream,
}

impl Answer {
    pub(crate) fn of(output: Option<&Type>, p: &TokenStream) -> Answer {
        match output {
            Some(ty) if !is_string(ty) => Answer {
                ty: quote!(#ty),
                schema: quote!(#p::answer::<#ty>().schema()),
                read: quote!(#p::answer::<#ty>().read(reply)),
            },
            _ => Answer {
                ty: quote!(#p::String),
                schema: quote!(#p::None),
                read: quote!(#p::read_text(reply)),
            },
        }
    }
}
