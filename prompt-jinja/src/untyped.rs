//! The untyped language: Jinja2 3.1.6 as Hugging Face's transformers configures it for chat templates.
//!
//! An interpreter of its own, because its strings carry the [`Source`] of each byte: one rendering gives the text, the origin of
//! each byte, and the bytes that `{% generation %}` blocks wrote. A value is computed by a few primitives that count what they
//! do, so that no operation can exceed the [`Limits`].

mod eval;
mod fault;
mod filters;
mod format;
mod functions;
mod host;
mod inputs;
mod int;
mod lexer;
mod methods;
mod nodes;
mod ops;
mod parser;
mod registry;
#[cfg(test)]
mod registry_tests;
mod run;
mod tests;
mod text;
mod value;

use std::fmt;

pub use fault::{Fault, FaultKind};
pub use inputs::Input;
pub use parser::MAX_NESTING;
use parser::Parsed;
use run::Run;
pub use text::{Source, Str};
pub use value::Value;

/// A parsed template.
pub struct Template {
    parsed: Parsed,
    inputs: Vec<Input>,
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Template")
            .field("inputs", &self.inputs)
            .finish_non_exhaustive()
    }
}

/// What a rendering may use.
pub struct Limits<'t> {
    /// Nodes that are run.
    pub steps: u64,
    /// Bytes that are written.
    pub output: usize,
    /// Bytes that are allocated, compared or searched.
    pub memory: u64,
    /// The number that the error for `memory` names: what is left may be less.
    pub named_memory: u64,
    /// Formats the current time by a pattern of `strftime`.
    pub format_now: &'t dyn Fn(&str) -> String,
}

/// Which text of the template has an effect on guarded data that contains it.
pub struct Steering<'t> {
    /// Whether data of this source is guarded.
    pub is_guarded: &'t dyn Fn(Source) -> bool,
    /// Whether the template may search guarded data for this text of its own.
    pub may_act: &'t dyn Fn(&str) -> bool,
    /// Whether data that contains another text is an error; else, the text is not found in it.
    pub rejects: bool,
}

/// A rendered text.
#[derive(Debug)]
pub struct Rendered {
    /// The text that the template wrote.
    pub text: String,
    /// The source of the text up to each end.
    pub runs: Vec<(usize, Source)>,
    /// The dicts of [`Value::named_dict`] that loops visit while they write, each from a length of the text on; the template where
    /// none is visited.
    pub visits: Vec<(usize, Source)>,
}

impl Template {
    /// Parses a template whose line breaks are `\n`.
    ///
    /// # Errors
    /// Text that is not a template.
    pub fn parse(source: &str) -> Result<Template, Box<Fault>> {
        // Jinja2 leaves the last line break out.
        let parsed = parser::parse(source.strip_suffix('\n').unwrap_or(source))?;
        let inputs = inputs::find_inputs(&parsed);
        Ok(Template { parsed, inputs })
    }

    /// The names that the template reads and does not set, in order; functions of the language are among them.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Whether the template has `{% generation %}` blocks.
    pub fn has_generation(&self) -> bool {
        self.parsed.has_generation
    }

    /// The template's own texts and strings.
    pub fn literals(&self) -> Vec<&str> {
        self.parsed.literals.iter().map(|text| &**text).collect()
    }

    /// Whether a name is a function of the language.
    pub fn is_function(name: &str) -> bool {
        registry::find_function(name).is_some()
    }

    /// Renders the template. `memory` is set to what is left of it.
    ///
    /// # Errors
    /// A template that fails, refuses or exceeds a limit.
    pub fn render<'n>(
        &self,
        values: impl IntoIterator<Item = (&'n str, Value)>,
        limits: &Limits<'_>,
        steering: Option<&Steering<'_>>,
        memory: &mut u64,
    ) -> Result<Rendered, Box<Fault>> {
        let names = &self.parsed.names;
        let mut given = vec![None; names.len()];
        for (name, value) in values {
            if let Some(at) = names.iter().position(|known| **known == *name) {
                given[at] = Some(value);
            }
        }
        let mut run = Run::new(names, given, limits, steering);
        let result = run.run(&self.parsed.body);
        let (rendered, left) = run.finish();
        *memory = left;
        result.map(|()| rendered)
    }
}
