//! Identifiers of generated code.

use proc_macro2::{Ident, Span};

/// Variables and functions of generated code itself.
pub(crate) const OWN_NAMES: [&str; 4] = ["out", "empty", "slot", "written"];

/// An identifier, raw where the name is a keyword.
///
/// A name that can be no identifier at all is no field either: rustc is then given one that says so.
pub(crate) fn identifier(name: &str, span: Span) -> Ident {
    if syn::parse_str::<Ident>(name).is_ok() {
        Ident::new(name, span)
    } else if syn::parse_str::<Ident>(&format!("r#{name}")).is_ok() {
        Ident::new_raw(name, span)
    } else {
        Ident::new("__not_a_name", span)
    }
}

/// A variable that the analysis has named, which no name of the user's can hide.
pub(crate) fn variable(name: &str) -> Ident {
    identifier(name, Span::mixed_site())
}
