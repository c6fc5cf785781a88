//! Identifiers of generated code.

use proc_macro2::{Ident, Span};

/// Variables and functions of generated code itself.
pub(crate) const OWN_NAMES: [&str; 4] = ["out", "empty", "slot", "written"];

/// An identifier, raw where the name is a keyword.
///
/// A name that cannot be an identifier is not a field either: `__not_a_name` makes rustc report it.
pub(crate) fn identifier(name: &str, span: Span) -> Ident {
    if syn::parse_str::<Ident>(name).is_ok() {
        Ident::new(name, span)
    } else if syn::parse_str::<Ident>(&format!("r#{name}")).is_ok() {
        Ident::new_raw(name, span)
    } else {
        Ident::new("__not_a_name", span)
    }
}

/// A variable that the analysis has named; names in the user's code cannot shadow it.
pub(crate) fn variable(name: &str) -> Ident {
    identifier(name, Span::mixed_site())
}
