//! What a name means to the [`Analyzer`](super::Analyzer).

use super::piece::{PlaceExpr, Root};
use super::scope::{Bound, ScopeStack};
use crate::language::{Language, Plain};
use crate::{Error, Kind};

/// A name that the template binds.
pub struct Binding<L: Language = Plain> {
    /// The path that refers to it.
    pub name: String,
    /// What it refers to.
    pub meaning: Resolution<L>,
    /// The error if it is never used; `None` if it need not be.
    pub unused: Option<Error>,
    /// Whether something has used it.
    pub used: bool,
    /// Whether it has a value wherever it is in scope.
    pub certain: bool,
}

impl<L: Language> Binding<L> {
    /// Another name for a place.
    pub fn place(name: String, place: PlaceExpr, kind: Kind) -> Binding<L> {
        Binding::new(name, Resolution::Place { place, kind })
    }

    /// A name that need not be used.
    pub fn new(name: impl Into<String>, meaning: Resolution<L>) -> Binding<L> {
        Binding {
            name: name.into(),
            meaning,
            unused: None,
            used: false,
            certain: true,
        }
    }

    /// The same binding, with the error if it is never used.
    #[must_use]
    pub fn with_required_use(self, unused: Option<Error>) -> Binding<L> {
        Binding { unused, ..self }
    }
}

/// What a name refers to.
#[derive(Clone)]
pub enum Resolution<L: Language = Plain> {
    /// Another name for a Rust place: an item of a list, the value inside an `Option`, a field.
    Place {
        /// The place.
        place: PlaceExpr,
        /// The kind of its value.
        kind: Kind,
    },
    /// The loop itself.
    Loop(String),
    /// What only this language has.
    Other(L::Meaning),
}

impl<L: Language> Bound for Binding<L> {
    fn path(&self) -> &str {
        &self.name
    }
}

impl<L: Language> ScopeStack<Binding<L>> {
    /// The variable of the loop over a field. Loops inside it may iterate over parts of the same field.
    pub(super) fn item_of(&mut self, field: usize) -> Option<&str> {
        let item = self.bindings_mut().find(|name| match &name.meaning {
            Resolution::Place { place, .. } => {
                place.origin == field && matches!(place.root, Root::Local(_))
            }
            _ => false,
        })?;
        item.used = true;
        Some(&item.name)
    }

    /// All names in scope, the innermost first.
    pub fn names_in_scope(&self) -> Vec<&str> {
        self.bindings().map(|name| name.name.as_str()).collect()
    }
}

/// Whether the names of a block have values.
impl<L: Language> ScopeStack<Binding<L>> {
    /// For each name of the innermost block, whether it has a value.
    pub fn certain_names(&mut self) -> Vec<bool> {
        self.block_bindings()
            .iter()
            .map(|name| name.certain)
            .collect()
    }

    /// Sets for each name of the innermost block whether it has a value.
    pub fn set_certain(&mut self, certain: &[bool]) {
        for (name, certain) in self.block_bindings().iter_mut().zip(certain) {
            name.certain = *certain;
        }
    }
}
