//! The ends of blocks: the right one, a wrong one, none.

use super::Parser;
use crate::block::Open;
use crate::problem::block::{self, Shows, Stray};
use crate::suggest::closest;
use crate::{Expr, Node, Role, Span};

impl Parser<'_> {
    /// A closing tag.
    pub(super) fn end(&mut self, span: Span, name: &'static str, reported: bool) {
        let is_its = |open: &Open| open.block.name() == name && !open.ended;
        let Some(at) = self.open.iter().rposition(is_its) else {
            return self.stray(span, name, reported);
        };
        let shows = match span.start == span.end {
            false => Shows::End(name),
            true => Shows::EndOfMessage,
        };
        if self.crosses(at) {
            self.cross(at, span, shows);
            return;
        }
        while self.open.len() > at + 1 {
            self.cut_off(span, shows);
        }
        self.close(span);
    }

    /// Closes the innermost block before its own end, as something else shows.
    pub(super) fn cut_off(&mut self, span: Span, shows: Shows<'_>) {
        let name = self.open.last().map_or("", |open| open.block.name());
        if self.unclosed(Some((span, shows))) {
            let error = self.errors.len() - 1;
            match self.cut.iter_mut().find(|(cut, _)| *cut == name) {
                Some((_, errors)) => errors.push(error),
                None => self.cut.push((name, vec![error])),
            }
        }
        self.close(Span::new(span.start, span.start));
    }

    /// Whether the blocks inside of the one at this depth end after it. Else their ends are missing.
    fn crosses(&self, at: usize) -> bool {
        if self.open[at].is_role() {
            return false;
        }
        let mut left = self.ends_to_come;
        let inner = &self.open[at + 1..];
        !inner.is_empty()
            && inner.iter().filter(|open| !open.ended).all(|open| {
                let Some(keyword) = open.block.keyword() else {
                    return false;
                };
                let left = &mut left[keyword as usize];
                *left -= 1;
                *left >= 0
            })
    }

    /// Keeps the crossing blocks open until the inner ones end, so that what stands in them is read as it was meant.
    fn cross(&mut self, at: usize, span: Span, shows: Shows<'_>) {
        let inner = &mut self.open[at + 1];
        let (name, written) = (inner.block.name(), span.of(self.text));
        let error = block::crossing(self.dialect, name, written, span, shows).at(inner.tag);
        inner.crossed = Some(self.errors.len());
        self.errors.push(error);
        self.open[at].ended = true;
        self.open[at].excused = true;
        self.nodes.push(Node::Error(span));
    }

    /// A closing tag without its block.
    fn stray(&mut self, span: Span, name: &'static str, reported: bool) {
        self.nodes.push(Node::Error(span));
        let end = self.dialect.end(name);
        let cut = self.cut.iter_mut().find(|(cut, _)| *cut == name);
        if let Some(error) = cut.and_then(|(_, errors)| errors.pop()) {
            let error = &mut self.errors[error];
            error.problem = block::closed_too_late(error.problem.clone(), &end, span);
            return;
        }
        if reported {
            return;
        }
        let written = span.of(self.text);
        let stray = if let Some(open) = self.open.last_mut().filter(|open| !open.is_role()) {
            // Most likely it is the wrong end: no second error says that the block is not closed.
            open.excused = true;
            Stray::EndOf(open.block.name(), open.tag)
        } else if let Some(misspelt) = self.misspelt(name) {
            Stray::Role(misspelt)
        } else {
            Stray::Nothing
        };
        let error = block::stray(self.dialect, name, written, stray).at(span);
        self.errors.push(error);
    }

    /// A slot shortly before whose name is nearly the role's.
    fn misspelt(&self, role: &str) -> Option<Span> {
        Role::from_name(role)?;
        let near = self.nodes.iter().rev().take(8);
        near.filter_map(|node| match node {
            Node::Slot(slot) => Some(slot),
            _ => None,
        })
        .find_map(|slot| match &slot.expr {
            Expr::Path(path) if closest(&path.dotted(), [role]).is_some() => Some(slot.span),
            _ => None,
        })
    }

    /// Closes what is open at the end of the text.
    pub(super) fn finish(&mut self) {
        let end = Span::new(self.text.len(), self.text.len());
        while !self.open.is_empty() {
            self.unclosed(None);
            self.close(end);
        }
    }

    /// Reports that the innermost block is not closed, and where that shows. `false` if it is known already.
    fn unclosed(&mut self, shows: Option<(Span, Shows<'_>)>) -> bool {
        let Some(open) = self.open.last().filter(|open| !open.excused) else {
            return false;
        };
        let (name, tag) = (open.block.name(), open.tag);
        let problem = match shows {
            Some((span, shows)) => {
                block::unclosed_before(self.dialect, name, span.of(self.text), span, shows)
            }
            None => block::unclosed(self.dialect, name, tag.of(self.text)),
        };
        self.errors.push(problem.at(tag));
        true
    }

    /// Makes nodes of the innermost block, and of those around it that should have ended before.
    fn close(&mut self, mut end: Span) {
        while let Some(open) = self.open.pop() {
            if let Some(error) = open.crossed {
                let name = self.dialect.end(open.block.name());
                let error = &mut self.errors[error];
                error.problem = block::ended(error.problem.clone(), &name, end);
            }
            let nodes = std::mem::replace(&mut self.nodes, open.outer);
            self.nodes.extend(open.block.close(open.tag, end, nodes));
            if !self.open.last().is_some_and(|open| open.ended) {
                return;
            }
            end = Span::new(end.end, end.end);
        }
    }
}
