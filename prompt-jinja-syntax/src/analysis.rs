//! The Jinja dialect: from its tree to the annotated tree.
//!
//! - An expression is a [`Term`] of a [`Kind`](prompt_syntax::Kind): a Rust place, a literal, or a call of the run time
//!   (`expr::add`). Kinds come from the types of fields, from literals and from the tables of [`builtin`](crate::builtin);
//!   two kinds that an operator cannot combine are an error. Types that only rustc knows are checked by rustc, which shows
//!   the same snippet; a missing key or a division by zero is a fault at run time, at the same place.
//! - A path is a Rust place as long as its Rust type is known (fields, items of lists, the value that a condition finds in
//!   an `Option`); `set x = path` binds another name to it, without code. Everything else is an `expr::Value`.
//! - Names belong to scopes: a message, a loop, a `with`, a macro, a block whose text is kept. A branch of a condition is
//!   not a scope of its own: a variable that it sets belongs to the block around it, is declared before the condition, and
//!   may be read after it only if every branch gives it a value.
//! - A macro is analyzed once for each call, with its arguments for its parameters; the text of an included file is
//!   appended to the text of its source, so that spans in it are spans like others.
//! - Text of the template remains `Piece::Text` wherever possible; everything else is written by `expr::fill_slot`, which
//!   tracks for each part of a string which field it comes from.

mod block;
mod call;
mod chosen;
mod expr;
mod keyed;
mod loops;
mod meaning;
mod operator;
mod own;
mod path;
mod piece;
mod set;
mod test;

use std::ops::{Deref, DerefMut};

use prompt_syntax::analysis::{
    self, Analyzer, PlaceExpr, ResolvedSlot, Root, ScopeStack, SlotDefault, SlotValue,
    collect_set_names, names_set_in_conditions, remove_unused_binding,
};

pub use self::meaning::{JinjaMeaning, JinjaState, MacroDefinition};
pub use self::piece::*;
use crate::Jinja;

/// A node of the annotated tree of a template that may be of the Jinja dialect.
pub type ResolvedNode = analysis::ResolvedNode<Jinja>;
/// A branch of a condition in such a tree.
pub type ResolvedBranch = analysis::ResolvedBranch<Jinja>;
/// A condition in such a tree.
pub type Condition = analysis::Condition<Jinja>;
/// A name that such a template binds.
pub(crate) type Binding = analysis::Binding<Jinja>;
/// What such a name refers to.
pub(crate) type Resolution = analysis::Resolution<Jinja>;

/// The analysis of a node of the Jinja dialect.
pub(crate) struct JinjaAnalyzer<'s, 'a>(pub(crate) &'s mut Analyzer<'a, Jinja>);

impl<'a> Deref for JinjaAnalyzer<'_, 'a> {
    type Target = Analyzer<'a, Jinja>;

    fn deref(&self) -> &Analyzer<'a, Jinja> {
        self.0
    }
}

impl<'a> DerefMut for JinjaAnalyzer<'_, 'a> {
    fn deref_mut(&mut self) -> &mut Analyzer<'a, Jinja> {
        self.0
    }
}
