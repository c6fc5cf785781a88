//! `#[derive(Tools)]`: an enum whose variants are tools.

mod emit;
mod item;
mod keys;
mod name;

use proc_macro2::TokenStream;
use prompt_syntax::problem::feature;

use crate::Errors;
use item::ToolsItem;

/// The whole way from an enum to its tools.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(item) = ToolsItem::parse(item, &mut errors) else {
        return errors.into_tokens();
    };
    name::check(&item, &mut errors);
    if !cfg!(feature = "schema") {
        let problem = feature::missing("`#[derive(Tools)]`", "schema");
        errors.push(item.ident.span(), problem);
    }
    match errors.finish() {
        Ok(()) => emit::emit(&item),
        Err(errors) => emit::fallback(&item, &errors),
    }
}
