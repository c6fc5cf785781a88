//! The macros of typed-prompt.

mod attribute;
mod check;
mod emit;
mod errors;
mod fallback;
mod filters;
mod fingerprint;
mod inline;
mod input;
mod locate;
mod lower;
mod model;
mod place;
mod resolve;
mod source;
#[cfg(test)]
mod tests;
mod uses;

use proc_macro2::TokenStream;

use crate::errors::Errors;
use crate::input::Input;

/// Makes a struct or enum the input of a prompt.
#[proc_macro_derive(Prompt, attributes(prompt))]
pub fn derive_prompt(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(item.into()).into()
}

/// Fills a template with the variables in scope, as `format!` does.
#[proc_macro]
pub fn prompt(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    inline::expand(input.into()).into()
}

/// The whole way from a struct with a template to its implementation.
fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(input) = Input::parse(item, &mut errors) else {
        return errors.into_tokens();
    };
    let prompt = lower::lower(&input, &mut errors);
    check::check(&prompt, &mut errors);
    match errors.finish() {
        Ok(()) => emit::emit(&prompt),
        Err(errors) => fallback::fallback(&input, errors),
    }
}
