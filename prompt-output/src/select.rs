//! Which of the readings of an answer is taken.
//!
//! Every reading is matched with the schema, and the one that fits at the smallest cost is taken.
//! Of equals it is the **first**: models put the answer first and examples, alternatives and
//! explanations after it. The other is reported. But for a single value, a number or a choice,
//! two readings that differ are a contradiction, and refused.

use crate::candidate::{Fence, Found, Unread, find_candidates, find_fences, surroundings};
use crate::choice::is_model_refusal;
use crate::coerce::Coercer;
use crate::describe::expected;
use crate::error::{Problem, Refusal};
use crate::fit::{Fit, Misfit, pointer};
use crate::parsed::{Ending, Parsed};
use crate::reader::{Desk, Kind, Mark, Node, Reader, Reading};
use crate::repair::{RepairKind, sorted_repairs};
use crate::shape::{Id, Shape, Shapes};
use crate::string::is_opening_quote;
use crate::unbracketed::{key_value_lines, list_items, markdown_list, new_node, object_entries};
use prompt_syntax::Span;
use serde_json::Value;

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

/// What does not fit, but came nearer to it than all before.
struct Nearest<'s> {
    near: usize,
    attempt: Attempt<'s>,
}

enum Attempt<'s> {
    /// One that was tried aloud.
    Said(Misfit),
    /// The reading at a place of all that were found.
    Found(usize),
    /// All objects in a row.
    Sequence,
    Loose(Node<'s>),
    Prose(Node<'s>),
}

pub(crate) struct Selection<'s> {
    shapes: &'s Shapes,
    desk: &'s Desk<'s>,
    answer: &'s str,
    /// Where the answer begins, after the thinking.
    from: usize,
    fences: Vec<Fence>,
    coercer: Coercer<'s>,
    partial: bool,
    options: Vec<Offer>,
    nearest: Option<Nearest<'s>>,
}

impl<'s> Selection<'s> {
    pub(crate) fn new(
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
            fences: find_fences(answer, from),
            coercer: Coercer::new(shapes, desk, answer, partial),
            partial,
            options: Vec::new(),
            nearest: None,
        }
    }

    pub(crate) fn run(self) -> Result<Parsed, Refusal> {
        let whole = Span::new(self.from, self.answer.len());
        if let Some(fit) = self.verbatim(self.shapes.root()) {
            return Ok(self.parsed(fit, whole, Ending::Whole, &[]));
        }
        self.search()
    }

    /// Looks for values wherever they may stand, and however they are written.
    fn search(mut self) -> Result<Parsed, Refusal> {
        let found = find_candidates(self.answer, self.from, &self.fences, self.desk);
        self.readings(&found);
        if self.options.is_empty() && found.unread.is_none() {
            self.loose(&found);
        }
        self.finish(&found)
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

    fn readings(&mut self, found: &Found<'s>) {
        let root = self.shapes.root();
        let list = match self.shapes.get(root) {
            Shape::List(list) => Some(list),
            _ => None,
        };
        // Of several objects in a row none is the whole list.
        let list = list.filter(|_| objects(found).nth(1).is_some());
        if let [reading] = found.readings.as_slice() {
            // If this does not fit, hardly anything else will.
            let fit = self
                .coercer
                .aloud(|coercer| coercer.fit(&reading.node, root));
            if let Err(misfit) = self.fitted(reading, fit) {
                self.missed(misfit.near, || Attempt::Said(misfit));
            }
            return;
        }
        for (place, reading) in found.readings.iter().enumerate() {
            if (list.is_none() || !is_object(&reading.node))
                && let Err(near) = self.reading(reading, root)
            {
                self.missed(near, || Attempt::Found(place));
            }
        }
        if let Some(list) = list
            && let (Some(first), Some(last)) = (objects(found).next(), objects(found).last())
        {
            let mut nodes: Vec<&Node<'_>> = Vec::new();
            let mut marks: Vec<Mark> = Vec::new();
            for reading in objects(found) {
                nodes.push(&reading.node);
                marks.extend_from_slice(&reading.marks);
            }
            let span = Span::new(first.node.span.start, last.node.span.end);
            match self.coercer.sequence(&nodes, list) {
                Ok(fit) => self.offer(fit, span, Ending::of(&last.node, last.dangling), &marks),
                Err(misfit) => self.missed(misfit.near, || Attempt::Sequence),
            }
        }
    }

    /// Offers a reading if it fits, and else says how near it came.
    fn reading(&mut self, reading: &Reading<'_>, root: Id) -> Result<(), usize> {
        let fit = self.coercer.fit(&reading.node, root);
        self.fitted(reading, fit).map_err(|misfit| misfit.near)
    }

    fn fitted(&mut self, reading: &Reading<'_>, fit: Result<Fit, Misfit>) -> Result<(), Misfit> {
        let node = &reading.node;
        let ending = Ending::of(node, reading.dangling);
        self.offer(fit?, node.span, ending, &reading.marks);
        Ok(())
    }

    fn loose_reading(&mut self, reading: Reading<'s>, root: Id) {
        if let Err(near) = self.reading(&reading, root) {
            self.missed(near, || Attempt::Loose(reading.node));
        }
    }

    /// Remembers what came nearest to a fit; of equals the first.
    fn missed(&mut self, near: usize, attempt: impl FnOnce() -> Attempt<'s>) {
        let nearer = |other: &Nearest<'_>| near > other.near;
        if self.nearest.as_ref().is_none_or(nearer) {
            let attempt = attempt();
            self.nearest = Some(Nearest { near, attempt });
        }
    }

    /// Readings without brackets; the less sure ones only if no surer one fits.
    fn loose(&mut self, found: &Found<'s>) {
        let (answer, from) = (self.answer, self.from);
        let root = self.shapes.root();
        let first = found
            .readings
            .first()
            .map_or(answer.len(), |reading| reading.node.span.start);
        let has_objects = objects(found).next().is_some();
        if has_objects && self.fences.is_empty() && answer[from..first].trim().is_empty() {
            // All of it was read.
            return;
        }
        self.strings(root);
        for (start, end) in self.bodies() {
            if let Some(reading) = object_entries(answer, start, end, first, self.desk) {
                self.loose_reading(reading, root);
            }
            if found.readings.is_empty()
                && let Some(reading) = list_items(answer, start, end, self.desk)
            {
                self.loose_reading(reading, root);
            }
        }
        if self.options.is_empty() && !self.partial && !has_objects {
            self.prose(root);
        }
        if self.options.is_empty() && found.readings.is_empty() && !self.partial {
            if let Shape::Object(object) = self.shapes.get(root)
                && let Some(reading) = key_value_lines(answer, from, object, self.desk)
            {
                self.loose_reading(reading, root);
            }
            if let Shape::List(_) = self.shapes.get(root)
                && let Some(reading) = markdown_list(answer, from, self.desk)
            {
                self.loose_reading(reading, root);
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
            if !self.answer[start..end].starts_with(is_opening_quote) {
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
                self.loose_reading(reading, root);
            }
        }
    }

    /// What the answer, or all of a fence, says in words. In a fence it must be the value itself.
    fn prose(&mut self, root: Id) {
        let fences = self.fences.len();
        for (index, (start, end)) in self.bodies().into_iter().enumerate() {
            let text = &self.answer[start..end];
            let node = new_node(self.desk, start, end, Kind::Word(text));
            let span = node.span;
            match self.coercer.prose(&node, root, LEVELS) {
                Ok(fit) if index >= fences || !fit.inferred => {
                    self.offer(fit, span, Ending::Whole, &[]);
                }
                Err(misfit) if index >= fences => {
                    self.missed(misfit.near, || Attempt::Prose(node));
                }
                _ => {}
            }
        }
    }

    fn offer(&mut self, fit: Fit, span: Span, ending: Ending, marks: &[Mark]) {
        let mut notation = Vec::with_capacity(marks.len() + 1);
        if ending != Ending::Whole {
            let end = Span::new(span.end, span.end);
            let kind = RepairKind::Truncated;
            notation.push(Mark { kind, span: end });
        }
        notation.extend_from_slice(marks);
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
}

/// What was read in braces.
fn objects<'f, 's>(found: &'f Found<'s>) -> impl Iterator<Item = &'f Reading<'s>> {
    found.readings.iter().filter(|r| is_object(&r.node))
}

fn is_object(node: &Node<'_>) -> bool {
    matches!(node.kind, Kind::Object(_))
}

impl<'s> Selection<'s> {
    pub(crate) fn finish(mut self, found: &Found<'s>) -> Result<Parsed, Refusal> {
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
    pub(crate) fn parsed(&self, fit: Fit, span: Span, ending: Ending, marks: &[Mark]) -> Parsed {
        // What stands around an answer costs nothing, so it was not asked for before.
        let around = surroundings(self.answer, self.from, span, &self.fences);
        Parsed {
            repairs: sorted_repairs(self.answer, fit.marks, &around, marks),
            open: fit.open.iter().map(pointer).collect(),
            value: fit.value,
            ending,
        }
    }

    fn refuse(&mut self, found: &Found<'s>) -> Refusal {
        if let Some(Unread { at, why }) = found.unread {
            return self.refusal(Span::new(at, at + 1), why.to_owned());
        }
        let refuses = is_model_refusal(&self.answer[self.from..]);
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
            expected(self.shapes, self.shapes.root()),
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
