//! Names that are not in scope.

use std::collections::HashSet;

use super::Analyzer;
use super::context::Context;
use crate::language::Language;
use crate::problem::{block, name};
use crate::{Dialect, Spanned};
use prompt_base::Span;

impl<'a, L: Language> Analyzer<'a, L> {
    /// Whether an error elsewhere explains why a name is unknown or an `Option` is outside of its condition.
    pub fn is_unparsed(&mut self, name: &str) -> bool {
        let mut names = self.context.unparsed_names.iter();
        let is_unparsed = self.context.fields_unparsed || names.any(|unparsed| unparsed == name);
        if is_unparsed {
            self.mark_incomplete();
        }
        is_unparsed
    }

    /// Reports a name that is not in scope.
    pub fn report_unknown_name(&mut self, name: &Spanned<String>) {
        if self.is_unparsed(&name.value) {
            return;
        }
        let Context { dialect, .. } = self.context;
        if self.context.captures && dialect != Dialect::Jinja {
            self.report(name::type_captured(dialect, name).at(name.span));
            return;
        }
        if dialect == Dialect::Angle
            && name.value == "raw"
            && self.tag_around(name.span) == Some("<raw>")
        {
            let span = Span::new(name.span.start - 1, name.span.end + 1);
            let error = block::unclosed_block(dialect, "raw", "<raw>").at(span);
            self.report(error.pasted_block("<raw>"));
            return;
        }
        let names = self.slot_names();
        let written = match dialect {
            Dialect::Angle => self.tag_around(name.span),
            _ => None,
        };
        // The text around a name of an included file is not known.
        let before = match dialect {
            Dialect::Jinja => "",
            _ => self.text.get(..name.span.start).unwrap_or_default(),
        };
        let (owner, count) = (self.context.owner, self.context.fields.len());
        let mut problem = name::unknown_name(dialect, name, before, written, &names, owner, count);
        if name.value != "loop" && self.scopes.has_ended(name) {
            problem = name::outside_of_its_block(name, problem);
        }
        let mut error = problem.at(name.span);
        if let Some(tag) = written
            && !error.is_pasted()
        {
            error = error.in_tag(tag, &names.iter().copied());
        }
        self.report(error);
    }

    /// The names that a slot may have. What a condition has found has the name of its field.
    pub(super) fn slot_names(&self) -> Vec<&str> {
        let mut names = self.scopes.names_in_scope();
        let slots = self
            .context
            .fields
            .iter()
            .filter(|field| field.excluded_by.is_none());
        names.extend(slots.map(|field| field.name.as_str()));
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(*name));
        names
    }

    /// The tag of the angle dialect that contains a span.
    pub(super) fn tag_around(&self, span: Span) -> Option<&'a str> {
        let text = self.text;
        let mut starts = text.get(..span.start)?.rmatch_indices(['<', '\n']);
        let (start, sign) = starts.find(|(at, _)| !text[at + 1..].starts_with(' '))?;
        let line = text.get(span.end..)?.lines().next()?;
        let end = span.end + line.find('>')? + 1;
        (sign == "<").then(|| &text[start..end])
    }
}
