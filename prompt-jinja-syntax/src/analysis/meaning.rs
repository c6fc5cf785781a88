//! What names can be bound to in the Jinja dialect only, and what its analysis remembers.

use std::rc::Rc;

use prompt_syntax::Kind;

use super::{Binding, JinjaAnalyzer, Resolution, Term};
use crate::{Includes, Macro};

/// What a name can be bound to in the Jinja dialect only.
#[derive(Clone)]
pub enum JinjaMeaning {
    /// A variable that holds a value.
    Variable {
        /// The variable of generated code.
        ident: String,
        /// The kind of its value.
        kind: Kind,
        /// The fields that its value is made from.
        origins: Vec<usize>,
    },
    /// A macro.
    Macro(Rc<MacroDefinition>),
    /// `loop.previtem` or `loop.nextitem` of a list of values, and the fields that its items come from.
    Neighbour(String, Vec<usize>),
    /// `loop.changed`, and the variable for its state.
    Changed(String),
    /// `loop.previtem` or `loop.nextitem` of a loop that unpacks its items.
    NoNeighbour,
}

/// A macro and its scope.
pub struct MacroDefinition {
    pub(super) node: Macro,
    /// The number of frames around its definition.
    pub(super) depth: usize,
    /// Where its text begins in the source.
    pub(super) offset: usize,
}

/// What the analysis remembers for the Jinja dialect only.
#[derive(Default)]
pub struct JinjaState<'a> {
    /// Reads the files that the template includes; without it, none can be.
    includes: Option<&'a mut dyn Includes>,
    /// The macros that are being called.
    pub(super) calling: Vec<String>,
    /// How many macro calls have been analyzed.
    pub(super) expanded: usize,
    /// The text of the block that a filter or a `set` is for.
    pub(super) body: Option<Term>,
}

impl<'a> JinjaState<'a> {
    /// The state of a template that may include files.
    pub fn new(includes: &'a mut dyn Includes) -> JinjaState<'a> {
        JinjaState {
            includes: Some(includes),
            ..JinjaState::default()
        }
    }

    /// What reads the files that the template includes.
    pub(super) fn includes(&mut self) -> Option<&mut (dyn Includes + 'a)> {
        self.includes.as_deref_mut()
    }
}

impl JinjaAnalyzer<'_, '_> {
    /// The variable of that name that the innermost block has set.
    pub(super) fn own_variable(&mut self, name: &str) -> Option<&mut Binding> {
        let mut names = self.scopes.block_bindings().iter_mut().rev();
        names.find(|known| {
            let is_variable = matches!(
                known.meaning,
                Resolution::Other(JinjaMeaning::Variable { .. })
            );
            known.name == name && is_variable
        })
    }
}
