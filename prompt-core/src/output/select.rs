//! Which of the readings of an answer is taken.
//!
//! Every reading is matched with the schema, and the one that fits at the smallest cost is taken.
//! Of equals it is the **first**: models put the answer first and examples, alternatives and
//! explanations after it. The other is reported. But for a single value, a number or a choice,
//! two readings that differ are a contradiction, and refused.

use serde_json::Value;

use crate::syntax::Span;

use super::candidate::{self, Found};
use super::coerce::Coercer;
use super::describe;
use super::fence::{self, Fence};
use super::fit::{Fit, Flaw, Misfit, Noted, Path, pointer};
use super::line::Places;
use super::loose;
use super::node::{End, Kind, Node};
use super::parsed::{Ending, Parsed};
use super::prose;
use super::read::{Desk, Mark, Reader, Reading};
use super::refusal::{Problem, Refusal};
use super::repair::{Repair, RepairKind};
use super::shape::{Id, Lengths, Shape, Shapes};
use super::think;

pub(super) fn whole(shapes: &Shapes, answer: &str) -> Result<Parsed, Refusal> {
    if answer.trim().is_empty() {
        return Err(refusal(answer, 0, "the answer is empty", &expected(shapes)));
    }
    let Some(from) = think::answer(answer) else {
        return Err(refusal(answer, 0, "the thinking never ends", "expected the answer after it"));
    };
    if answer[from..].trim().is_empty() {
        return Err(refusal(answer, from, "nothing comes after the thinking", &expected(shapes)));
    }
    let desk = Desk::new(&shapes.names, answer.len());
    Selection::new(shapes, &desk, answer, from, false).run()
}

pub(super) fn partial(shapes: &Shapes, answer: &str) -> Option<Parsed> {
    let from = think::answer(answer)?;
    if answer[from..].trim().is_empty() {
        return None;
    }
    let desk = Desk::new(&shapes.names, answer.len());
    Selection::new(shapes, &desk, answer, from, true).run().ok()
}

fn expected(shapes: &Shapes) -> String {
    format!("expected {}", describe::shape(shapes, shapes.root()))
}

fn refusal(answer: &str, at: usize, message: &str, label: &str) -> Refusal {
    let span = Span { start: at, end: answer.len().max(at) };
    let problem = Problem::new(answer, span, message.to_owned(), label.to_owned());
    Refusal::new(answer, vec![problem])
}

/// A reading that fits.
struct Option_ {
    fit: Fit,
    span: Span,
    ending: Ending,
    cost: u32,
}

struct Selection<'s> {
    shapes: &'s Shapes,
    desk: &'s Desk<'s>,
    answer: &'s str,
    /// Where the answer begins, after the thinking.
    from: usize,
    fences: Vec<Fence>,
    coercer: Coercer<'s>,
    partial: bool,
    options: Vec<Option_>,
    misfit: Option<Misfit>,
}

impl<'s> Selection<'s> {
    fn new(
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

    fn run(mut self) -> Result<Parsed, Refusal> {
        let root = self.shapes.root();
        if let Some(fit) = self.verbatim(root) {
            let span = Span { start: self.from, end: self.answer.len() };
            self.offer(Ok(fit), span, Ending::Whole, &[]);
            return self.finish(None);
        }
        let found = candidate::find(self.answer, self.from, &self.fences, self.desk);
        self.readings(&found);
        if self.options.is_empty() && found.too_deep.is_none() {
            self.loose(&found);
        }
        self.finish(found.too_deep)
    }

    /// A schema that asks for nothing but a string gets the answer as it is, quotes and fences
    /// included: any of it may be meant.
    fn verbatim(&self, root: Id) -> Option<Fit> {
        let (text, nullable) = match self.shapes.get(root) {
            Shape::Nullable(inner) => (self.shapes.get(*inner), true),
            shape => (shape, false),
        };
        let Shape::Text(Lengths::ANY) = text else { return None };
        let body = &self.answer[self.from..];
        let body = if self.from > 0 { body.trim_start() } else { body };
        if nullable && body.trim() == "null" {
            return Some(Fit::exact(Value::Null));
        }
        let fit = Fit::exact(body);
        Some(if self.partial { fit.open() } else { fit })
    }

    fn readings(&mut self, found: &Found<'_>) {
        let root = self.shapes.root();
        let objects: Vec<&Reading<'_>> = match self.shapes.get(root) {
            Shape::List(_) => found.readings.iter().filter(|r| is_object(&r.node)).collect(),
            _ => Vec::new(),
        };
        for reading in &found.readings {
            // Of several objects in a row none is the whole list.
            if objects.len() < 2 || !is_object(&reading.node) {
                self.reading(reading, root);
            }
        }
        if let (Shape::List(list), [first, .., last]) = (self.shapes.get(root), &objects[..]) {
            let nodes: Vec<&Node<'_>> = objects.iter().map(|reading| &reading.node).collect();
            let span = Span { start: first.node.span.start, end: last.node.span.end };
            let fit = self.coercer.sequence(&nodes, list);
            let marks: Vec<Mark> = objects.iter().flat_map(|r| r.marks.clone()).collect();
            self.offer(fit, span, ending(&last.node, last.dangling), &marks);
        }
    }

    fn reading(&mut self, reading: &Reading<'_>, root: Id) {
        let node = &reading.node;
        let fit = self.coercer.fit(node, root);
        self.offer(fit, node.span, ending(node, reading.dangling), &reading.marks);
    }

    /// Readings without brackets; the less sure ones only if no surer one fits.
    fn loose(&mut self, found: &Found<'_>) {
        let (answer, from) = (self.answer, self.from);
        let root = self.shapes.root();
        self.strings(root);
        let objects = found.readings.iter().any(|reading| is_object(&reading.node));
        let first = found.readings.first().map_or(answer.len(), |reading| reading.node.span.start);
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
        if self.options.is_empty() && !objects {
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
        let fences = self.fences.iter().map(|fence| (fence.body.start, fence.body.end));
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
            if let Ok(node) = reader.string()
                && node.span.end == end
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
            let mut node = loose::node(self.desk, start, end, Kind::Word(text));
            node.end = if self.partial { End::Cut } else { End::Sure };
            let span = node.span;
            match self.coercer.prose(&node, root) {
                Ok(fit) if index < fences && fit.inferred => {}
                fit if index < fences && fit.is_err() => {}
                fit => self.offer(fit, span, Ending::Whole, &[]),
            }
        }
    }

    fn offer(&mut self, fit: Result<Fit, Misfit>, span: Span, ending: Ending, marks: &[Mark]) {
        match fit {
            Ok(mut fit) => {
                let mut around = candidate::surroundings(self.answer, self.from, span, &self.fences);
                if ending != Ending::Whole {
                    let end = Span { start: span.end, end: span.end };
                    around.push(Mark { kind: RepairKind::Truncated, span: end });
                }
                for mark in around.iter().chain(marks) {
                    fit = fit.mark(mark.kind, mark.span, "");
                }
                let cost = fit.cost;
                self.options.push(Option_ { fit, span, ending, cost });
            }
            Err(misfit) => {
                if self.misfit.as_ref().is_none_or(|other| misfit.near > other.near) {
                    self.misfit = Some(misfit);
                }
            }
        }
    }

    fn finish(mut self, too_deep: Option<usize>) -> Result<Parsed, Refusal> {
        let Some(best) = (0..self.options.len()).min_by_key(|&at| self.options[at].cost) else {
            return Err(self.refuse(too_deep));
        };
        let chosen = self.options.swap_remove(best);
        let scalar = !matches!(chosen.fit.value, Value::Object(_) | Value::Array(_));
        let mut fit = chosen.fit;
        for other in &self.options {
            let apart = other.span.start >= chosen.span.end || other.span.end <= chosen.span.start;
            if !apart {
                continue;
            }
            if scalar && other.cost == chosen.cost && other.fit.value != fit.value && !self.partial {
                let message =
                    format!("the answer says both `{}` and `{}`", fit.value, other.fit.value);
                return Err(refusal_at(self.answer, other.span, message, expected(self.shapes)));
            }
            fit = fit.mark(RepairKind::OtherCandidate, other.span, "");
        }
        Ok(Parsed {
            repairs: repairs(self.answer, fit.marks),
            open: fit.open.iter().map(pointer).collect(),
            value: fit.value,
            ending: chosen.ending,
        })
    }

    fn refuse(&self, too_deep: Option<usize>) -> Refusal {
        if let Some(at) = too_deep {
            let message = "this is nested too deep".to_owned();
            let span = Span { start: at, end: at + 1 };
            return refusal_at(self.answer, span, message, "deeper than 128".to_owned());
        }
        if let Some(misfit) = &self.misfit
            && (misfit.near > 0 || !prose::refuses(&self.answer[self.from..]))
            && !misfit.problems.is_empty()
        {
            let problems = misfit.problems.iter().map(|flaw| problem(self.answer, flaw));
            return Refusal::new(self.answer, problems.collect());
        }
        let message = if prose::refuses(&self.answer[self.from..]) {
            "the model refuses to answer"
        } else {
            "this holds no such value"
        };
        let body = self.answer[self.from..].trim();
        let start = self.answer.len() - self.answer[self.from..].trim_start().len();
        let span = Span { start, end: start + body.len() };
        refusal_at(self.answer, span, message.to_owned(), expected(self.shapes))
    }
}

fn refusal_at(answer: &str, span: Span, message: String, label: String) -> Refusal {
    Refusal::new(answer, vec![Problem::new(answer, span, message, label)])
}

fn problem(answer: &str, flaw: &Flaw) -> Problem {
    let mut problem = Problem::new(answer, flaw.span, flaw.message.clone(), flaw.label.clone());
    problem.help.clone_from(&flaw.help);
    problem.path = pointer(&flaw.path);
    problem
}

/// What was put right, in the order of the text.
fn repairs(answer: &str, mut marks: Vec<Noted>) -> Vec<Repair> {
    marks.sort_by_key(|mark| (mark.span.start, mark.span.end));
    let mut places = Places::new(answer);
    let repair = |mark: Noted| {
        let (line, column) = places.next(mark.span.start);
        let range = mark.span.start..mark.span.end;
        let path = pointer(&mark.path as &Path);
        Repair { kind: mark.kind, range, line, column, path, note: mark.note }
    };
    marks.into_iter().map(repair).collect()
}

fn is_object(node: &Node<'_>) -> bool {
    matches!(node.kind, Kind::Object(_))
}

/// How the text ended, seen from a value in it.
fn ending(node: &Node<'_>, dangling: bool) -> Ending {
    if node.end != End::Cut {
        return Ending::Whole;
    }
    if dangling {
        return Ending::Cut;
    }
    let last = match &node.kind {
        Kind::List(items) => items.last(),
        Kind::Object(entries) => entries.last().map(|entry| &entry.value),
        Kind::Word(_) | Kind::Text(_) => return Ending::Cut,
    };
    match last {
        Some(last) if last.end == End::Cut => ending(last, false),
        _ => Ending::Unclosed,
    }
}
