//! The files that `{% include %}` names.

use crate::{Include, Node};
use prompt_syntax::Error;
use prompt_syntax::problem::Problem;

/// Finds the templates that `{% include %}` names.
pub trait Includes {
    /// Reads the template that a statement includes; `offset` is where the including text begins in the source.
    ///
    /// # Errors
    /// The file cannot be read or includes itself. The problem is reported at the path of the statement.
    fn enter_file(&mut self, include: &Include, offset: usize) -> Result<Included, Problem>;

    /// Called after the analysis of each included template.
    fn leave_file(&mut self);
}

/// A template that another one includes.
pub struct Included {
    /// Where its text begins in the source.
    pub offset: usize,
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// Its syntax errors.
    pub errors: Vec<Error>,
}
