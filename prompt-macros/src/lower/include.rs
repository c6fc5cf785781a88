//! `{% include "file" %}`: the other file is read when the prompt is compiled, and its text appended to the source.

use prompt_syntax::analysis::{Included, Includes};
use prompt_syntax::problem::{Problem, file as problem};
use prompt_syntax::{Include, Options, Span, parse};

use crate::source::SourceText;

/// The most files that may include each other.
const DEPTH: usize = 32;

/// The files that a source includes.
pub(super) struct Files<'a> {
    pub(super) source: &'a mut SourceText,
    pub(super) options: Options,
    /// The files around the current one, the outermost first, for each file that is entered.
    around: Vec<Vec<String>>,
}

impl<'a> Files<'a> {
    pub(super) fn of(source: &'a mut SourceText, options: Options) -> Files<'a> {
        Files {
            source,
            options,
            around: Vec::new(),
        }
    }
}

impl Includes for Files<'_> {
    fn enter(&mut self, include: &Include, offset: usize) -> Result<Included, Problem> {
        let span = include.path.span;
        let at = Span::new(span.start + offset, span.end + offset);
        let name = self.source.beside(at, &include.path.value);
        let name = name.map_err(problem::not_of_this_package)?;
        let mut around = match self.around.last() {
            Some(around) => around.clone(),
            None => self.source.file_name(at).into_iter().collect(),
        };
        if around.contains(&name) || self.around.len() == DEPTH {
            let start = around.iter().position(|file| *file == name).unwrap_or(0);
            let chain = around[start..].iter().chain([&name]);
            let chain: Vec<&str> = chain.map(String::as_str).collect();
            return Err(problem::includes_itself(&name, &chain));
        }
        let (offset, text) = self.source.include(&name).map_err(problem::included)?;
        around.push(name);
        self.around.push(around);
        let options = Options {
            roles: false,
            ..self.options
        };
        let parsed = parse(&text, options);
        Ok(Included {
            offset,
            nodes: parsed.template.nodes,
            errors: parsed.errors,
        })
    }

    fn leave(&mut self) {
        self.around.pop();
    }
}
