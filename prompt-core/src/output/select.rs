//! Which of the readings of an answer is taken.
//!
//! Every reading is matched with the schema, and the one that fits at the smallest cost is taken.
//! Of equals it is the **first**: models put the answer first and examples, alternatives and
//! explanations after it. The other is reported. But for a single value, a number or a choice,
//! two readings that differ are a contradiction, and refused.

use serde_json::Value;

use crate::syntax::Span;

use super::candidate::{self, Found, Unread};
use super::coerce::Coercer;
use super::describe;
use super::fence::{self, Fence};
use super::fit::{Fit, Misfit, pointer};
use super::loose;
use super::node::{Kind, Node};
use super::parsed::{Ending, Parsed};
use super::prose;
use super::read::{Desk, Mark, Reader, Reading};
use super::refusal::{Problem, Refusal};
use super::repair::{self, RepairKind};
use super::shape::{Id, Shape, Shapes};
use super::straight;

/// How many types inside each other a value in prose may be of.
const LEVELS: u8 = 5;

/// A reading that fits.
struct Offer {
    fit: Fit,
    span: Span,
    ending: Ending,
    /// What had to be overlooked to read it.
    marks: Vec<Mark>,
    cost: u32,
}

pub(super) struct Selection<'s> {
    shapes: &'s Shapes,
    desk: &'s Desk<'s>,
    answer: &'s str,
    /// Where the answer begins, after the thinking.
    from: usize,
    fences: Vec<Fence>,
    coercer: Coercer<'s>,
    partial: bool,
    options: Vec<Offer>,
    misfit: Option<Misfit>,
}

impl<'s> Selection<'s> {
    pub(super) fn new(
        shapes: &'s Shapes,
        desk: &'s Desk<'s>,
        answer: &'s str,
        from: usize,
        partial: bool,
    ) -> Selection<'s> {
        Selection {
            shapes,
            desk,
            answer,
            from,
            fences: fence::find(answer, from),
            coercer: Coercer::new(shapes, desk, answer, partial),
            partial,
            options: Vec::new(),
            misfit: None,
        }
    }

    pub(super) fn run(mut self) -> Result<Parsed, Refusal> {
        let whole = Span::new(self.from, self.answer.len());
        let short = match self.verbatim(self.shapes.root()) {
            Some(fit) => Some((fit, whole)),
            None if self.partial => None,
            None => straight::read(&mut self.coercer, self.from, &self.fences),
        };
        let Some((fit, span)) = short else {
            return self.search();
        };
        self.offer(Ok(fit), span, Ending::Whole, &[]);
        self.finish(None)
    }

    /// Looks for values wherever they may stand, and however they are written.
    pub(super) fn search(mut self) -> Result<Parsed, Refusal> {
        let found = candidate::find(self.answer, self.from, &self.fences, self.desk);
        self.readings(&found);
        if self.options.is_empty() && found.unread.is_none() {
            self.loose(&found);
        }
        self.finish(found.unread)
    }

    /// A schema that asks for nothing but a string gets the answer as it is, quotes and fences
    /// included: any of it may be meant.
    fn verbatim(&self, root: Id) -> Option<Fit> {
        if !self.shapes.is_text() {
            return None;
        }
        let nullable = matches!(self.shapes.get(root), Shape::Nullable(_));
        let body = &self.answer[self.from..];
        let body = if self.from > 0 {
            body.trim_start()
        } else {
            body
        };
        if nullable && body.trim() == "null" {
            return Some(Fit::exact(Value::Null));
        }
        let fit = Fit::exact(body);
        Some(if self.partial { fit.open() } else { fit })
    }

    fn readings(&mut self, found: &Found<'_>) {
        let root = self.shapes.root();
        let objects: Vec<&Reading<'_>> = match self.shapes.get(root) {
            Shape::List(_) => found
                .readings
                .iter()
                .filter(|r| is_object(&r.node))
                .collect(),
            _ => Vec::new(),
        };
        for reading in &found.readings {
            // Of several objects in a row none is the whole list.
            if objects.len() < 2 || !is_object(&reading.node) {
                self.reading(reading, root);
            }
        }
        if let (Shape::List(list), [first, .., last]) = (self.shapes.get(root), &objects[..]) {
            let mut nodes: Vec<&Node<'_>> = Vec::with_capacity(objects.len());
            let mut marks: Vec<Mark> = Vec::new();
            for reading in &objects {
                nodes.push(&reading.node);
                marks.extend_from_slice(&reading.marks);
            }
            let span = Span::new(first.node.span.start, last.node.span.end);
            let fit = self.coercer.sequence(&nodes, list);
            self.offer(fit, span, Ending::of(&last.node, last.dangling), &marks);
        }
    }

    fn reading(&mut self, reading: &Reading<'_>, root: Id) {
        let node = &reading.node;
        let fit = self.coercer.fit(node, root);
        self.offer(
            fit,
            node.span,
            Ending::of(node, reading.dangling),
            &reading.marks,
        );
    }

    /// Readings without brackets; the less sure ones only if no surer one fits.
    fn loose(&mut self, found: &Found<'_>) {
        let (answer, from) = (self.answer, self.from);
        let root = self.shapes.root();
        self.strings(root);
        let objects = found
            .readings
            .iter()
            .any(|reading| is_object(&reading.node));
        let first = found
            .readings
            .first()
            .map_or(answer.len(), |reading| reading.node.span.start);
        for (start, end) in self.bodies() {
            if let Some(reading) = loose::object(answer, start, end, self.desk)
                && reading.node.span.start < first
            {
                self.reading(&reading, root);
            }
            if found.readings.is_empty()
                && let Some(reading) = loose::list(answer, start, end, self.desk)
            {
                self.reading(&reading, root);
            }
        }
        if self.options.is_empty() && !objects && !self.partial {
            self.prose(root);
        }
        if self.options.is_empty() && found.readings.is_empty() && !self.partial {
            if let Shape::Object(object) = self.shapes.get(root)
                && let Some(reading) = loose::key_values(answer, from, object, self.desk)
            {
                self.reading(&reading, root);
            }
            if let Shape::List(_) = self.shapes.get(root)
                && let Some(reading) = loose::bullets(answer, from, self.desk)
            {
                self.reading(&reading, root);
            }
        }
    }

    /// The answer and the fences' bodies, without the space around them.
    fn bodies(&self) -> Vec<(usize, usize)> {
        let fences = self
            .fences
            .iter()
            .map(|fence| (fence.body.start, fence.body.end));
        let mut bodies: Vec<(usize, usize)> = fences.collect();
        bodies.push((self.from, self.answer.len()));
        bodies.retain_mut(|(start, end)| {
            let body = &self.answer[*start..*end];
            *start += body.len() - body.trim_start().len();
            *end = *start + body.trim().len();
            start < end
        });
        bodies
    }

    /// A string in quotes that is all of the answer, or of a fence.
    fn strings(&mut self, root: Id) {
        for (start, end) in self.bodies() {
            if !self.answer[start..end].starts_with(super::quoted::opens) {
                continue;
            }
            let mut reader = Reader::new(self.answer, start, end, self.desk, false);
            let inner = |reader: &Reader<'_, '_>| {
                reader
                    .marks
                    .iter()
                    .any(|mark| mark.kind == RepairKind::UnescapedQuotes)
            };
            if let Ok(node) = reader.string()
                && node.span.end == end
                && !inner(&reader)
            {
                let reading = reader.done(node);
                self.reading(&reading, root);
            }
        }
    }

    /// What the answer, or all of a fence, says in words. In a fence it must be the value itself.
    fn prose(&mut self, root: Id) {
        let fences = self.fences.len();
        for (index, (start, end)) in self.bodies().into_iter().enumerate() {
            let text = &self.answer[start..end];
            let node = loose::node(self.desk, start, end, Kind::Word(text));
            let span = node.span;
            match self.coercer.prose(&node, root, LEVELS) {
                Ok(fit) if index < fences && fit.inferred => {}
                fit if index < fences && fit.is_err() => {}
                fit => self.offer(fit, span, Ending::Whole, &[]),
            }
        }
    }

    fn offer(&mut self, fit: Result<Fit, Misfit>, span: Span, ending: Ending, marks: &[Mark]) {
        match fit {
            Ok(fit) => {
                let mut notation = marks.to_vec();
                if ending != Ending::Whole {
                    let end = Span::new(span.end, span.end);
                    let kind = RepairKind::Truncated;
                    notation.insert(0, Mark { kind, span: end });
                }
                let costs = notation.iter().map(|mark| mark.kind.cost());
                let cost = costs.fold(fit.cost, u32::saturating_add);
                self.options.push(Offer {
                    fit,
                    span,
                    ending,
                    marks: notation,
                    cost,
                });
            }
            Err(misfit) => {
                if self
                    .misfit
                    .as_ref()
                    .is_none_or(|other| misfit.near > other.near)
                {
                    self.misfit = Some(misfit);
                }
            }
        }
    }

    fn finish(mut self, unread: Option<Unread>) -> Result<Parsed, Refusal> {
        let Some(best) = (0..self.options.len()).min_by_key(|&at| self.options[at].cost) else {
            return Err(self.refuse(unread));
        };
        let chosen = self.options.swap_remove(best);
        let scalar = !matches!(chosen.fit.value, Value::Object(_) | Value::Array(_));
        let mut fit = chosen.fit;
        // What stands around an answer costs nothing, so it was not asked for before.
        let around = candidate::surroundings(self.answer, self.from, chosen.span, &self.fences);
        for mark in around.iter().chain(&chosen.marks) {
            fit = fit.mark(mark.kind, mark.span, "");
        }
        for other in &self.options {
            let apart = other.span.start >= chosen.span.end || other.span.end <= chosen.span.start;
            if !apart {
                continue;
            }
            if scalar && other.cost == chosen.cost && other.fit.value != fit.value && !self.partial
            {
                let message = format!(
                    "the answer says both `{}` and `{}`",
                    fit.value, other.fit.value
                );
                return Err(Refusal::at(
                    self.answer,
                    other.span,
                    message,
                    describe::expected(self.shapes),
                ));
            }
            fit = fit.mark(RepairKind::OtherCandidate, other.span, "");
        }
        Ok(Parsed {
            repairs: repair::report(self.answer, fit.marks),
            open: fit.open.iter().map(pointer).collect(),
            value: fit.value,
            ending: chosen.ending,
        })
    }

    fn refuse(&self, unread: Option<Unread>) -> Refusal {
        if let Some(Unread { at, why }) = unread {
            let span = Span::new(at, at + 1);
            return Refusal::at(
                self.answer,
                span,
                why.to_owned(),
                describe::expected(self.shapes),
            );
        }
        if let Some(misfit) = &self.misfit
            && (misfit.near > 0 || !prose::refuses(&self.answer[self.from..]))
            && !misfit.problems.is_empty()
        {
            let problems = misfit
                .problems
                .iter()
                .map(|flaw| Problem::of(self.answer, flaw));
            return Refusal::new(self.answer, problems.collect());
        }
        let message = if prose::refuses(&self.answer[self.from..]) {
            "the model refuses to answer"
        } else {
            "this holds no such value"
        };
        let body = self.answer[self.from..].trim();
        let start = self.answer.len() - self.answer[self.from..].trim_start().len();
        let span = Span::new(start, start + body.len());
        Refusal::at(
            self.answer,
            span,
            message.to_owned(),
            describe::expected(self.shapes),
        )
    }
}

fn is_object(node: &Node<'_>) -> bool {
    matches!(node.kind, Kind::Object(_))
}
