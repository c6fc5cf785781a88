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
use syn::{Generics, Path};

use crate::Errors;
use crate::emit::Runtime;

/// Expands an enum to its tools.
#[cfg(feature = "schema")]
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(item) = item::ToolsItem::parse(item, &mut errors) else {
        return errors.into_tokens();
    };
    name::check_names(&item, &mut errors);
    match errors.finish() {
        Ok(()) => emit::emit_tools(&item),
        Err(errors) => {
            let (generics, allowed) = (&item.generics, item.allowed.as_ref());
            let fallback = fallback_impl(&item.ident, generics, allowed, item.krate.as_ref());
            quote!(#errors #fallback)
        }
    }
}

/// The error that names the feature.
#[cfg(not(feature = "schema"))]
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(item) = crate::input::read_item(item, &mut errors) else {
        return errors.into_tokens();
    };
    let problem = prompt_syntax::problem::feature::missing_feature("`#[derive(Tools)]`", "schema");
    errors.push(item.ident.span(), problem);
    let fallback = fallback_impl(&item.ident, &item.generics, None, None);
    quote!(#errors #fallback)
}

/// An implementation without tools, so that code that uses the enum has no error of its own.
fn fallback_impl(
    ident: &Ident,
    generics: &Generics,
    allowed: Option<&TokenStream>,
    krate: Option<&Path>,
) -> TokenStream {
    let p = Runtime::new();
    let (parameters, arguments, clause) = generics.split_for_impl();
    let implementation = quote! {
        #allowed
        #[automatically_derived]
        impl #parameters #p::tools::Tools for #ident #arguments #clause {
            fn tools() -> #p::Result<#p::tools::Vec<#p::tools::Tool>> {
                #p::Result::Ok(#p::tools::Vec::new())
            }

            fn parse(call: &#p::tools::ToolCall) -> #p::Result<Self> {
                #p::Result::Err(call.unknown([]))
            }
        }
    };
    p.enclose_items(krate, implementation)
}
