//! What the analysis of a template is given: the fields, and the files that it includes.

#[cfg(feature = "jinja")]
use crate::problem::Problem;
use crate::{Dialect, Kind};
#[cfg(feature = "jinja")]
use crate::{Error, Include, Node};

/// A field that a template can name, as far as it is known before it has a value.
#[derive(Clone)]
pub struct FieldInfo {
    /// The name that templates use.
    pub name: String,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether its text may be used in a system message.
    pub trusted: bool,
    /// The attribute key that keeps the field out of slots: `skip`, `history`, `tools` or `extra`.
    pub excluded_by: Option<&'static str>,
    /// Whether it is the answer that a model is to find out.
    pub answer: bool,
}

/// The context of a template.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The dialect of the template.
    pub dialect: Dialect,
    /// The fields that it can name.
    pub fields: &'a [FieldInfo],
    /// The name of the struct or variant, for messages.
    pub owner: &'a str,
    /// Whether the names are those of variables around `prompt!`.
    pub captures: bool,
    /// Names that a part of the template with a syntax error may have bound.
    pub unparsed_names: &'a [String],
    /// Whether the fields themselves could not be parsed, so that no name is unknown.
    pub fields_unparsed: bool,
    /// Whether the template is interpreted at run time.
    pub run_time: bool,
    /// Names that variables of generated code must not have.
    pub reserved: &'a [&'a str],
}

/// Finds the templates that `{% include %}` names.
pub trait Includes {
    /// Reads the template that a statement includes; `offset` is where the including text begins in the source.
    ///
    /// # Errors
    /// The file cannot be read or includes itself. The problem is reported at the path of the statement.
    #[cfg(feature = "jinja")]
    fn enter_file(&mut self, include: &Include, offset: usize) -> Result<Included, Problem>;

    /// Called after the analysis of each included template.
    #[cfg(feature = "jinja")]
    fn leave_file(&mut self);
}

/// A template that another one includes.
#[cfg(feature = "jinja")]
pub struct Included {
    /// Where its text begins in the source.
    pub offset: usize,
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// Its syntax errors.
    pub errors: Vec<Error>,
}

/// For dialects without `{% include %}`.
pub struct NoIncludes;

impl Includes for NoIncludes {
    #[cfg(feature = "jinja")]
    fn enter_file(&mut self, _: &Include, _: usize) -> Result<Included, Problem> {
        Err(crate::problem::slot::unsupported_here("this block"))
    }

    #[cfg(feature = "jinja")]
    fn leave_file(&mut self) {}
}
