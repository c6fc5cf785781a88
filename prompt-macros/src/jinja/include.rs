//! `{% include "file" %}`: another file's template in place, read when the prompt is compiled.

use prompt_syntax::problem::file as problem;
use prompt_syntax::{Include, Options, parse};

use super::lowerer::Lowerer;
use crate::model::Piece;

/// More files inside each other than anyone writes.
const DEPTH: usize = 32;

impl Lowerer<'_, '_> {
    pub(super) fn include(&mut self, include: &Include, out: &mut Vec<Piece>) {
        let at = self.at(include.path.span);
        let name = match self.source.beside(at, &include.path.value) {
            Ok(name) => name,
            Err(problem) => {
                let problem = problem::not_of_this_package(problem);
                self.report(problem.at(include.path.span));
                return;
            }
        };
        let mut around = self.including.clone();
        if around.is_empty() {
            around.extend(self.source.file_name(at));
        }
        if around.contains(&name) || self.including.len() == DEPTH {
            let start = around.iter().position(|file| *file == name).unwrap_or(0);
            let chain: Vec<&str> = around[start..]
                .iter()
                .map(String::as_str)
                .chain([name.as_str()])
                .collect();
            let problem = problem::includes_itself(&name, &chain);
            self.report(problem.at(include.path.span));
            return;
        }
        let (start, text) = match self.source.include(&name) {
            Ok(included) => included,
            Err(problem) => {
                self.report(problem::included(problem).at(include.path.span));
                return;
            }
        };
        let outer = std::mem::replace(&mut self.offset, start);
        let options = Options {
            roles: false,
            ..self.options
        };
        let parsed = parse(&text, options);
        for error in parsed.errors {
            self.report(error);
        }
        let inner = std::mem::replace(&mut self.including, around);
        self.including.push(name);
        let pieces = self.block(&parsed.template.nodes);
        self.including = inner;
        self.offset = outer;
        out.push(Piece::Scope(pieces));
    }
}
