//! Names in scope: fields, and what blocks bind.

use proc_macro2::{Ident, Span};

use crate::input::Field;

/// A name that a block binds: a loop's item, or what a condition found in an `Option`.
pub(crate) struct Binding {
    /// The path that stands for it in the template.
    pub(crate) name: String,
    pub(crate) ident: Ident,
    /// The field that it comes from.
    pub(crate) origin: usize,
    pub(crate) media: bool,
    pub(crate) used: bool,
}

/// The names that a place of the template can use.
pub(crate) struct Scope<'a> {
    pub(crate) fields: &'a [Field],
    pub(crate) bindings: Vec<Binding>,
    /// The name of the struct or variant.
    pub(crate) owner: String,
    /// Names that an error elsewhere keeps from meaning anything.
    pub(crate) lost: Vec<String>,
    /// Whether an error elsewhere has lost all names.
    pub(crate) all_lost: bool,
    /// Whether the names are those of variables around the prompt.
    pub(crate) captures: bool,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(fields: &'a [Field]) -> Scope<'a> {
        Scope {
            fields,
            bindings: Vec::new(),
            owner: String::new(),
            lost: Vec::new(),
            all_lost: false,
            captures: false,
        }
    }

    pub(crate) fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// The innermost binding of a path.
    pub(crate) fn binding(&mut self, name: &str) -> Option<&mut Binding> {
        self.bindings
            .iter_mut()
            .rev()
            .find(|binding| binding.name == name)
    }

    /// A name for a variable of generated code: like the template's, and unlike the names of fields.
    pub(crate) fn ident(&self, name: &str) -> Ident {
        let mut ident = name.replace('.', "_");
        while self.is_taken(&ident, name) {
            ident.push('_');
        }
        identifier(&ident, Span::mixed_site())
    }

    /// Whether a variable of that name would hide something other than what it stands for.
    fn is_taken(&self, ident: &str, name: &str) -> bool {
        let of_field = name.contains('.') && self.field(ident).is_some();
        let mut bindings = self.bindings.iter();
        of_field
            || OWN_NAMES.contains(&ident)
            || bindings.any(|binding| binding.ident == ident && binding.name != name)
    }

    /// The names that a slot can have.
    pub(crate) fn names(&self) -> Vec<&str> {
        let fields = self
            .fields
            .iter()
            .filter(|field| field.stands_apart().is_none())
            .map(|field| field.name.as_str());
        self.bindings
            .iter()
            .map(|binding| binding.name.as_str())
            .chain(fields)
            .collect()
    }
}

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
