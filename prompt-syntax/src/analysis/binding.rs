//! What a name means to the [`Analyzer`](super::Analyzer).

#[cfg(feature = "jinja")]
use std::rc::Rc;

use super::piece::{PlaceExpr, Root};
use super::scope::{Bound, ScopeStack};
use crate::Kind;
#[cfg(feature = "jinja")]
use crate::Macro;
use crate::problem::name::BindingKind;
use prompt_base::Span;

/// A name that the template binds.
pub(super) struct Binding {
    /// The path that refers to it.
    pub(super) name: String,
    pub(super) meaning: Resolution,
    /// Its span and kind of binding, if it has to be used.
    pub(super) written: Option<(Span, BindingKind)>,
    pub(super) used: bool,
    /// Whether it has a value wherever it is in scope.
    #[cfg(feature = "jinja")]
    pub(super) certain: bool,
}

impl Binding {
    /// Another name for a place.
    pub(super) fn place(name: String, place: PlaceExpr, kind: Kind) -> Binding {
        Binding::new(name, Resolution::Place { place, kind })
    }

    /// A name that need not be used.
    pub(super) fn new(name: impl Into<String>, meaning: Resolution) -> Binding {
        Binding {
            name: name.into(),
            meaning,
            written: None,
            used: false,
            #[cfg(feature = "jinja")]
            certain: true,
        }
    }

    /// The same binding, which has to be used if its span is given.
    #[cfg(feature = "jinja")]
    pub(super) fn with_required_use(self, written: Option<(Span, BindingKind)>) -> Binding {
        Binding { written, ..self }
    }
}

#[derive(Clone)]
pub(super) enum Resolution {
    /// Another name for a Rust place: an item of a list, the value inside an `Option`, a field.
    Place { place: PlaceExpr, kind: Kind },
    /// A variable that holds a value.
    #[cfg(feature = "jinja")]
    Variable {
        ident: String,
        kind: Kind,
        /// The fields that its value is made from.
        origins: Vec<usize>,
    },
    #[cfg(feature = "jinja")]
    Macro(Rc<MacroDefinition>),
    /// The loop itself.
    Loop(String),
    /// `loop.previtem` or `loop.nextitem` of a list of values, and the fields that its items come from.
    #[cfg(feature = "jinja")]
    Neighbour(String, Vec<usize>),
    /// `loop.changed`, and the variable for its state.
    #[cfg(feature = "jinja")]
    Changed(String),
    /// `loop.previtem` or `loop.nextitem` of a loop that unpacks its items.
    #[cfg(feature = "jinja")]
    NoNeighbour,
}

/// A macro and its scope.
#[cfg(feature = "jinja")]
pub(super) struct MacroDefinition {
    pub(super) node: Macro,
    /// The number of frames around its definition.
    pub(super) depth: usize,
    /// Where its text begins in the source.
    pub(super) offset: usize,
}

impl Bound for Binding {
    fn path(&self) -> &str {
        &self.name
    }
}

impl ScopeStack<Binding> {
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
    pub(super) fn names_in_scope(&self) -> Vec<&str> {
        self.bindings().map(|name| name.name.as_str()).collect()
    }
}

/// Variables that only the Jinja dialect assigns.
#[cfg(feature = "jinja")]
impl ScopeStack<Binding> {
    /// The variable of that name that the innermost block has set.
    pub(super) fn own_variable(&mut self, name: &str) -> Option<&mut Binding> {
        self.block_bindings().iter_mut().rev().find(|known| {
            known.name == name && matches!(known.meaning, Resolution::Variable { .. })
        })
    }

    /// For each name of the innermost block, whether it has a value.
    pub(super) fn certain_names(&mut self) -> Vec<bool> {
        self.block_bindings()
            .iter()
            .map(|name| name.certain)
            .collect()
    }

    pub(super) fn set_certain(&mut self, certain: &[bool]) {
        for (name, certain) in self.block_bindings().iter_mut().zip(certain) {
            name.certain = *certain;
        }
    }
}
