//! `#[derive(Tools)]`: an enum whose variants are tools.

#[cfg(feature = "schema")]
mod emit;
#[cfg(feature = "schema")]
mod item;
#[cfg(feature = "schema")]
mod keys;
#[cfg(feature = "schema")]
mod name;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Generics;

use crate::Errors;
use crate::emit::Runtime;

/// The whole way from an enum to its tools.
#[cfg(feature = "schema")]
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(item) = item::ToolsItem::parse(item, &mut errors) else {
        return errors.into_tokens();
    };
    name::check(&item, &mut errors);
    if item.is_crate_missing() {
        let problem = prompt_syntax::problem::feature::missing_crate("#[tool(", ")]");
        errors.push(proc_macro2::Span::call_site(), problem);
        return errors.into_tokens();
    }
    match errors.finish() {
        Ok(()) => emit::emit(&item),
        Err(errors) => {
            let fallback = fallback(&item.ident, &item.generics, &item.private());
            let allowed = &item.allowed;
            quote!(#errors #allowed #fallback)
        }
    }
}

/// The error that names the feature.
#[cfg(not(feature = "schema"))]
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(item) = crate::input::read(item, &mut errors) else {
        return errors.into_tokens();
    };
    let problem = prompt_syntax::problem::feature::missing_feature("`#[derive(Tools)]`", "schema");
    errors.push(item.ident.span(), problem);
    let fallback = fallback(&item.ident, &item.generics, &Runtime::of(None));
    quote!(#errors #fallback)
}

/// An implementation that lets what uses the enum compile.
fn fallback(ident: &Ident, generics: &Generics, p: &Runtime) -> TokenStream {
    let (parameters, arguments, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters #p::tools::Tools for #ident #arguments #clause {
            fn tools() -> #p::Result<#p::tools::Vec<#p::tools::Tool>> {
                #p::Result::Ok(#p::tools::Vec::new())
            }

            fn parse(call: &#p::tools::ToolCall) -> #p::Result<Self> {
                #p::Result::Err(call.unknown([]))
            }
        }
    }
}
