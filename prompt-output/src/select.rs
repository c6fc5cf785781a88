//! Selects one of the candidates of an answer.
//!
//! Every candidate is matched against the schema, and the one that fits at the smallest cost is chosen. Of equals the **first** is
//! chosen: models write the answer first and examples, alternatives and explanations after it. The others are reported. Two
//! candidates for a single number or choice that differ are a contradiction, which is an error.

use crate::candidate::{Candidates, Fence, Unreadable, find_candidates, find_fences, surroundings};
use crate::choice::is_model_refusal;
use crate::coerce::Coercer;
use crate::describe::expected;
use crate::error::{Issue, ParseError};
use crate::fit::{Fit, Mismatch, pointer};
use crate::parsed::{Ending, Parsed};
use crate::reader::{Candidate, Context, JsonParser, Kind, Node, SyntaxRepair};
use crate::repair::{RepairKind, sorted_repairs};
use crate::string::is_opening_quote;
use crate::types::{Type, TypeIndex, TypeTable};
use crate::unbracketed::{key_value_lines, list_items, markdown_list, new_node, object_entries};
use prompt_syntax::Span;
use serde_json::Value;

/// The deepest nesting of types for a value in prose.
const LEVELS: u8 = 5;

/// A candidate that fits.
struct FittingCandidate {
    fit: Fit,
    span: Span,
    ending: Ending,
    /// The repairs of its notation.
    repairs: Vec<SyntaxRepair>,
    cost: u32,
}

/// The closest of the candidates that do not fit.
struct ClosestMismatch<'s> {
    near: usize,
    attempt: Attempt<'s>,
}

enum Attempt<'s> {
    /// Its mismatch is known, with messages.
    Said(Mismatch),
    /// The candidate at this index.
    Candidates(usize),
    /// All objects as one list.
    Sequence,
    Loose(Node<'s>),
    Prose(Node<'s>),
}

pub(crate) struct Selection<'s> {
    types: &'s TypeTable,
    context: &'s Context<'s>,
    answer: &'s str,
    /// Where the answer begins, after the reasoning.
    from: usize,
    fences: Vec<Fence>,
    coercer: Coercer<'s>,
    partial: bool,
    options: Vec<FittingCandidate>,
    nearest: Option<ClosestMismatch<'s>>,
}

impl<'s> Selection<'s> {
    pub(crate) fn new(
        types: &'s TypeTable,
        context: &'s Context<'s>,
        answer: &'s str,
        from: usize,
        partial: bool,
    ) -> Selection<'s> {
        Selection {
            types,
            context,
            answer,
            from,
            fences: find_fences(answer, from),
            coercer: Coercer::new(types, context, answer, partial),
            partial,
            options: Vec::new(),
            nearest: None,
        }
    }

    pub(crate) fn run(self) -> Result<Parsed, ParseError> {
        let whole = Span::new(self.from, self.answer.len());
        if let Some(fit) = self.verbatim(self.types.root()) {
            return Ok(self.parsed(fit, whole, Ending::Whole, &[]));
        }
        self.search()
    }

    /// Looks for values anywhere and in any notation.
    fn search(mut self) -> Result<Parsed, ParseError> {
        let found = find_candidates(self.answer, self.from, &self.fences, self.context);
        self.candidates(&found);
        if self.options.is_empty() && found.unreadable.is_none() {
            self.loose(&found);
        }
        self.finish(&found)
    }

    /// A schema that accepts nothing but a string gets the answer verbatim, quotes and fences included: any of it may be meant.
    fn verbatim(&self, root: TypeIndex) -> Option<Fit> {
        if !self.types.is_text() {
            return None;
        }
        let nullable = matches!(self.types.get(root), Type::Nullable(_));
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

    fn candidates(&mut self, found: &Candidates<'s>) {
        let root = self.types.root();
        let list = match self.types.get(root) {
            Type::List(list) => Some(list),
            _ => None,
        };
        // Of several objects in a row none is the complete list.
        let list = list.filter(|_| objects(found).nth(1).is_some());
        if let [candidate] = found.candidates.as_slice() {
            // If the only candidate does not fit, its messages are needed.
            let fit = self
                .coercer
                .with_messages(|coercer| coercer.fit(&candidate.node, root));
            if let Err(mismatch) = self.fitted(candidate, fit) {
                self.reject(mismatch.near, || Attempt::Said(mismatch));
            }
            return;
        }
        for (place, candidate) in found.candidates.iter().enumerate() {
            if (list.is_none() || !is_object(&candidate.node))
                && let Err(near) = self.candidate(candidate, root)
            {
                self.reject(near, || Attempt::Candidates(place));
            }
        }
        if let Some(list) = list
            && let (Some(first), Some(last)) = (objects(found).next(), objects(found).last())
        {
            let mut nodes: Vec<&Node<'_>> = Vec::new();
            let mut repairs: Vec<SyntaxRepair> = Vec::new();
            for candidate in objects(found) {
                nodes.push(&candidate.node);
                repairs.extend_from_slice(&candidate.repairs);
            }
            let span = Span::new(first.node.span.start, last.node.span.end);
            match self.coercer.sequence(&nodes, list) {
                Ok(fit) => self.accept(fit, span, Ending::of(&last.node, last.dangling), &repairs),
                Err(mismatch) => self.reject(mismatch.near, || Attempt::Sequence),
            }
        }
    }

    /// Accepts a candidate if it fits, or else returns how much of it matched.
    fn candidate(&mut self, candidate: &Candidate<'_>, root: TypeIndex) -> Result<(), usize> {
        let fit = self.coercer.fit(&candidate.node, root);
        self.fitted(candidate, fit)
            .map_err(|mismatch| mismatch.near)
    }

    fn fitted(
        &mut self,
        candidate: &Candidate<'_>,
        fit: Result<Fit, Mismatch>,
    ) -> Result<(), Mismatch> {
        let node = &candidate.node;
        let ending = Ending::of(node, candidate.dangling);
        self.accept(fit?, node.span, ending, &candidate.repairs);
        Ok(())
    }

    fn loose_reading(&mut self, candidate: Candidate<'s>, root: TypeIndex) {
        if let Err(near) = self.candidate(&candidate, root) {
            self.reject(near, || Attempt::Loose(candidate.node));
        }
    }

    /// Keeps the closest mismatch; of equals the first.
    fn reject(&mut self, near: usize, attempt: impl FnOnce() -> Attempt<'s>) {
        let nearer = |other: &ClosestMismatch<'_>| near > other.near;
        if self.nearest.as_ref().is_none_or(nearer) {
            let attempt = attempt();
            self.nearest = Some(ClosestMismatch { near, attempt });
        }
    }

    /// Candidates without brackets; the less certain ones only if no other fits.
    fn loose(&mut self, found: &Candidates<'s>) {
        let (answer, from) = (self.answer, self.from);
        let root = self.types.root();
        let first = found
            .candidates
            .first()
            .map_or(answer.len(), |candidate| candidate.node.span.start);
        let has_objects = objects(found).next().is_some();
        if has_objects && self.fences.is_empty() && answer[from..first].trim().is_empty() {
            // All of the answer was read.
            return;
        }
        self.strings(root);
        for (start, end) in self.bodies() {
            if let Some(candidate) = object_entries(answer, start, end, first, self.context) {
                self.loose_reading(candidate, root);
            }
            if found.candidates.is_empty()
                && let Some(candidate) = list_items(answer, start, end, self.context)
            {
                self.loose_reading(candidate, root);
            }
        }
        if self.options.is_empty() && !self.partial && !has_objects {
            self.prose(root);
        }
        if self.options.is_empty() && found.candidates.is_empty() && !self.partial {
            if let Type::Object(object) = self.types.get(root)
                && let Some(candidate) = key_value_lines(answer, from, object, self.context)
            {
                self.loose_reading(candidate, root);
            }
            if let Type::List(_) = self.types.get(root)
                && let Some(candidate) = markdown_list(answer, from, self.context)
            {
                self.loose_reading(candidate, root);
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

    /// A quoted string that is the whole answer, or a whole fence.
    fn strings(&mut self, root: TypeIndex) {
        for (start, end) in self.bodies() {
            if !self.answer[start..end].starts_with(is_opening_quote) {
                continue;
            }
            let mut reader = JsonParser::new(self.answer, start, end, self.context, false);
            let inner = |reader: &JsonParser<'_, '_>| {
                reader
                    .repairs
                    .iter()
                    .any(|mark| mark.kind == RepairKind::UnescapedQuotes)
            };
            if let Ok(node) = reader.string()
                && node.span.end == end
                && !inner(&reader)
            {
                let candidate = reader.done(node);
                self.loose_reading(candidate, root);
            }
        }
    }

    /// The value of the answer, or of a fence, in prose. In a fence it must be the value itself.
    fn prose(&mut self, root: TypeIndex) {
        let fences = self.fences.len();
        for (index, (start, end)) in self.bodies().into_iter().enumerate() {
            let text = &self.answer[start..end];
            let node = new_node(self.context, start, end, Kind::Unquoted(text));
            let span = node.span;
            match self.coercer.prose(&node, root, LEVELS) {
                Ok(fit) if index >= fences || !fit.inferred => {
                    self.accept(fit, span, Ending::Whole, &[]);
                }
                Err(mismatch) if index >= fences => {
                    self.reject(mismatch.near, || Attempt::Prose(node));
                }
                _ => {}
            }
        }
    }

    fn accept(&mut self, fit: Fit, span: Span, ending: Ending, repairs: &[SyntaxRepair]) {
        let mut notation = Vec::with_capacity(repairs.len() + 1);
        if ending != Ending::Whole {
            let end = Span::new(span.end, span.end);
            let kind = RepairKind::Truncated;
            notation.push(SyntaxRepair { kind, span: end });
        }
        notation.extend_from_slice(repairs);
        let costs = notation.iter().map(|mark| mark.kind.cost());
        let cost = costs.fold(fit.cost, u32::saturating_add);
        self.options.push(FittingCandidate {
            fit,
            span,
            ending,
            repairs: notation,
            cost,
        });
    }
}

/// The candidates in braces.
fn objects<'f, 's>(found: &'f Candidates<'s>) -> impl Iterator<Item = &'f Candidate<'s>> {
    found.candidates.iter().filter(|r| is_object(&r.node))
}

fn is_object(node: &Node<'_>) -> bool {
    matches!(node.kind, Kind::Object(_))
}

impl<'s> Selection<'s> {
    pub(crate) fn finish(mut self, found: &Candidates<'s>) -> Result<Parsed, ParseError> {
        let Some(best) = (0..self.options.len()).min_by_key(|&at| self.options[at].cost) else {
            return Err(self.error_of(found));
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
                return Err(self.error(other.span, message));
            }
            let kind = RepairKind::OtherCandidate;
            let span = other.span;
            chosen.repairs.push(SyntaxRepair { kind, span });
        }
        Ok(self.parsed(chosen.fit, chosen.span, chosen.ending, &chosen.repairs))
    }

    /// The result, with the repairs of its notation and of the text around it.
    pub(crate) fn parsed(
        &self,
        fit: Fit,
        span: Span,
        ending: Ending,
        repairs: &[SyntaxRepair],
    ) -> Parsed {
        // The text around an answer has no cost, so it is inspected only now.
        let around = surroundings(self.answer, self.from, span, &self.fences);
        Parsed {
            repairs: sorted_repairs(self.answer, fit.repairs, &around, repairs),
            open: fit.open.iter().map(pointer).collect(),
            value: fit.value,
            ending,
        }
    }

    fn error_of(&mut self, found: &Candidates<'s>) -> ParseError {
        if let Some(Unreadable { at, why }) = found.unreadable {
            return self.error(Span::new(at, at + 1), why.to_owned());
        }
        let refuses = is_model_refusal(&self.answer[self.from..]);
        if let Some(mismatch) = self.mismatch(found)
            && (mismatch.near > 0 || !refuses)
            && !mismatch.issues.is_empty()
        {
            let issues = mismatch
                .issues
                .into_iter()
                .map(|issue| Issue::of(self.answer, issue));
            return ParseError::new(self.answer, issues.collect());
        }
        let message = if refuses {
            "the model refuses to answer"
        } else {
            "this holds no such value"
        };
        let body = self.answer[self.from..].trim();
        let start = self.answer.len() - self.answer[self.from..].trim_start().len();
        self.error(Span::new(start, start + body.len()), message.to_owned())
    }

    fn error(&self, span: Span, message: String) -> ParseError {
        ParseError::at(
            self.answer,
            span,
            message,
            expected(self.types, self.types.root()),
        )
    }

    /// The closest mismatch, with messages.
    fn mismatch(&mut self, found: &Candidates<'s>) -> Option<Mismatch> {
        let root = self.types.root();
        let nearest = self.nearest.take()?.attempt;
        let fit = self.coercer.with_messages(|coercer| match nearest {
            Attempt::Said(mismatch) => Err(mismatch),
            Attempt::Candidates(place) => coercer.fit(&found.candidates[place].node, root),
            Attempt::Loose(node) => coercer.fit(&node, root),
            Attempt::Prose(node) => coercer.prose(&node, root, LEVELS),
            Attempt::Sequence => match coercer.types.get(root) {
                Type::List(list) => {
                    let nodes: Vec<&Node<'_>> = objects(found).map(|r| &r.node).collect();
                    coercer.sequence(&nodes, list)
                }
                _ => Err(Mismatch::default()),
            },
        });
        fit.err()
    }
}
