//! What is said of an answer in the end: its value, or what is wrong with it.

use serde_json::Value;

use super::{Attempt, LEVELS, Selection, objects};
use crate::candidate::{self, Found, Unread};
use crate::describe;
use crate::fit::{Fit, Misfit, pointer};
use crate::node::Node;
use crate::parsed::{Ending, Parsed};
use crate::prose;
use crate::read::Mark;
use crate::refusal::{Problem, Refusal};
use crate::repair::{self, RepairKind};
use crate::shape::Shape;
use prompt_syntax::Span;

impl<'s> Selection<'s> {
    pub(super) fn finish(mut self, found: &Found<'s>) -> Result<Parsed, Refusal> {
        let Some(best) = (0..self.options.len()).min_by_key(|&at| self.options[at].cost) else {
            return Err(self.refuse(found));
        };
        let mut chosen = self.options.swap_remove(best);
        let scalar = !matches!(chosen.fit.value, Value::Object(_) | Value::Array(_));
        for other in &self.options {
            let apart = other.span.start >= chosen.span.end || other.span.end <= chosen.span.start;
            if !apart {
                continue;
            }
            let value = &chosen.fit.value;
            if scalar && other.cost == chosen.cost && other.fit.value != *value && !self.partial {
                let message = format!("the answer says both `{value}` and `{}`", other.fit.value);
                return Err(self.refusal(other.span, message));
            }
            let kind = RepairKind::OtherCandidate;
            let span = other.span;
            chosen.marks.push(Mark { kind, span });
        }
        Ok(self.parsed(chosen.fit, chosen.span, chosen.ending, &chosen.marks))
    }

    /// The answer, with what was overlooked to read it, and what stands around it.
    pub(super) fn parsed(&self, fit: Fit, span: Span, ending: Ending, marks: &[Mark]) -> Parsed {
        // What stands around an answer costs nothing, so it was not asked for before.
        let around = candidate::surroundings(self.answer, self.from, span, &self.fences);
        Parsed {
            repairs: repair::report(self.answer, fit.marks, &around, marks),
            open: fit.open.iter().map(pointer).collect(),
            value: fit.value,
            ending,
        }
    }

    fn refuse(&mut self, found: &Found<'s>) -> Refusal {
        if let Some(Unread { at, why }) = found.unread {
            return self.refusal(Span::new(at, at + 1), why.to_owned());
        }
        let refuses = prose::refuses(&self.answer[self.from..]);
        if let Some(misfit) = self.misfit(found)
            && (misfit.near > 0 || !refuses)
            && !misfit.problems.is_empty()
        {
            let problems = misfit
                .problems
                .into_iter()
                .map(|flaw| Problem::of(self.answer, flaw));
            return Refusal::new(self.answer, problems.collect());
        }
        let message = if refuses {
            "the model refuses to answer"
        } else {
            "this holds no such value"
        };
        let body = self.answer[self.from..].trim();
        let start = self.answer.len() - self.answer[self.from..].trim_start().len();
        self.refusal(Span::new(start, start + body.len()), message.to_owned())
    }

    fn refusal(&self, span: Span, message: String) -> Refusal {
        Refusal::at(
            self.answer,
            span,
            message,
            describe::expected(self.shapes, self.shapes.root()),
        )
    }

    /// What is wrong with the attempt that came nearest, now in words.
    fn misfit(&mut self, found: &Found<'s>) -> Option<Misfit> {
        let root = self.shapes.root();
        let nearest = self.nearest.take()?.attempt;
        let fit = self.coercer.aloud(|coercer| match nearest {
            Attempt::Said(misfit) => Err(misfit),
            Attempt::Found(place) => coercer.fit(&found.readings[place].node, root),
            Attempt::Loose(node) => coercer.fit(&node, root),
            Attempt::Prose(node) => coercer.prose(&node, root, LEVELS),
            Attempt::Sequence => match coercer.shapes.get(root) {
                Shape::List(list) => {
                    let nodes: Vec<&Node<'_>> = objects(found).map(|r| &r.node).collect();
                    coercer.sequence(&nodes, list)
                }
                _ => Err(Misfit::default()),
            },
        });
        fit.err()
    }
}
