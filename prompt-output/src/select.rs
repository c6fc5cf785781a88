//! Selects one of the candidates of an answer.
//!
//! Every candidate is matched against the schema. What the text presents as its answer decides, and of several the **first**: models
//! write the answer first and alternatives and explanations after it. Of candidates that are only mentioned, the one that fits at
//! the smallest cost is chosen. If the candidate that decides does not fit, the answer is an error, unless a later one repeats and
//! completes it. Values are looked for in prose only where no notation is: see [`Selection::select_value`].

use crate::candidate::{Candidates, Unreadable, find_candidates, surrounding_repairs};
use crate::coerce::Coercer;
use crate::describe::expected_label;
use crate::error::{Issue, ParseError};
use crate::fence::{Fence, find_fences};
use crate::fit::{Fit, Mismatch, ValueRepair, json_pointer};
use crate::parsed::{Ending, Parsed};
use crate::prose::{Presentation, is_model_refusal};
use crate::reader::{
    Arrival, Candidate, End, JsonParser, LEAVES_OUT, NodeKind, ParseContext, SyntaxRepair,
};
use crate::repair::{RepairKind, sorted_repairs};
use crate::string::is_opening_quote;
use crate::types::{Type, TypeIndex, TypeTable};
use crate::unbracketed::{key_value_lines, list_items, markdown_list, object_entries};
use prompt_base::Span;
use serde_json::Value;

/// The number of candidates after the chosen one that are compared with it.
const MAX_ALTERNATIVES: usize = 20;

/// The deepest nesting of types for a value in prose.
const MAX_PROSE_LEVELS: u8 = 5;

/// A candidate that fits.
struct FittingCandidate {
    fit: Fit,
    span: Span,
    ending: Ending,
    /// The repairs of its notation.
    repairs: Vec<SyntaxRepair>,
    cost: u32,
}

impl FittingCandidate {
    fn new(fit: Fit, span: Span, ending: Ending, repairs: &[SyntaxRepair]) -> FittingCandidate {
        let mut notation = Vec::with_capacity(repairs.len() + 1);
        if ending != Ending::Whole {
            let end = Span::new(span.end, span.end);
            let kind = RepairKind::Truncated;
            notation.push(SyntaxRepair { kind, span: end });
        }
        notation.extend_from_slice(repairs);
        let costs = notation.iter().map(|mark| mark.kind.cost());
        let cost = costs.fold(fit.cost, u32::saturating_add);
        FittingCandidate {
            fit,
            span,
            ending,
            repairs: notation,
            cost,
        }
    }
}

/// A value in brackets.
#[derive(Clone, Copy)]
enum Reading {
    /// The candidate at this index.
    Candidate(usize),
    /// All objects as one list.
    Row,
}

/// A reading that may decide.
struct ReadingOutcome {
    reading: Reading,
    presentation: Presentation,
    /// The fit, or how much of it matched.
    fit: Result<FittingCandidate, usize>,
}

/// The mismatch to be reported.
struct ClosestMismatch<'s> {
    matched: usize,
    attempt: Attempt<'s>,
}

enum Attempt<'s> {
    /// Its mismatch is known, with messages.
    Known(Mismatch),
    Reading(Reading),
    Loose(Candidate<'s>),
    /// A part of the answer, in prose.
    Prose(Span),
}

pub(crate) struct Selection<'s> {
    types: &'s TypeTable,
    context: &'s ParseContext<'s>,
    answer: &'s str,
    /// The start of the answer, after the reasoning.
    from: usize,
    fences: Vec<Fence>,
    found: Candidates<'s>,
    /// The objects that are a list in a row: indexes of candidates.
    row: Vec<usize>,
    coercer: Coercer<'s>,
    partial: bool,
    options: Vec<FittingCandidate>,
    /// The option that the text presents as its answer; otherwise the cheapest one is chosen.
    chosen: Option<usize>,
    nearest: Option<ClosestMismatch<'s>>,
}

impl<'s> Selection<'s> {
    pub(crate) fn new(
        types: &'s TypeTable,
        context: &'s ParseContext<'s>,
        answer: &'s str,
        from: usize,
    ) -> Selection<'s> {
        Selection {
            types,
            context,
            answer,
            from,
            fences: find_fences(answer, from),
            found: Candidates::default(),
            row: Vec::new(),
            coercer: Coercer::new(types, context, answer),
            partial: context.arrival == Arrival::Partial,
            options: Vec::new(),
            chosen: None,
            nearest: None,
        }
    }

    /// Looks for values in brackets, then in other notations, and in prose only outside of notation.
    pub(crate) fn select_value(mut self) -> Result<Parsed, ParseError> {
        let whole = Span::new(self.from, self.answer.len());
        if let Some(fit) = self.verbatim_string(self.types.root()) {
            return Ok(self.build_parsed(fit, whole, self.undelimited_ending(), &[]));
        }
        if self.read_whole_string() {
            return self.choose_option();
        }
        self.found = find_candidates(self.answer, self.from, &self.fences, self.context);
        if self.found.unreadable.is_some()
            && matches!(self.types.get(self.types.root()), Type::List(_))
        {
            // Further items are not read.
            return Err(self.closest_error());
        }
        let decided = self.read_brackets();
        if self.options.is_empty() && self.found.unreadable.is_none() {
            let structured = self.read_unbracketed();
            if !decided && !structured && !self.partial {
                self.read_prose();
            }
        }
        self.choose_option()
    }

    /// Reads an answer that is one JSON string. Brackets in it are not candidates.
    fn read_whole_string(&mut self) -> bool {
        let [(start, end)] = self.answer_bodies()[..] else {
            return false;
        };
        let body = &self.answer[start..end];
        if !body.starts_with('"') || self.partial {
            return false;
        }
        let mut reader = JsonParser::new(self.answer, start, end, self.context, true);
        match reader.read_string() {
            Ok(node) if node.span.end == end && node.end != End::Cut => {
                let candidate = reader.into_candidate(node);
                self.match_candidate(candidate);
                true
            }
            _ => false,
        }
    }

    /// A schema that accepts nothing but a string gets the answer verbatim, quotes and fences included: any of it may be meant.
    fn verbatim_string(&self, root: TypeIndex) -> Option<Fit> {
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
            return Some(Fit::from_value(Value::Null));
        }
        let fit = Fit::from_value(body);
        Some(if self.partial { fit.mark_open() } else { fit })
    }

    /// Reads the candidates in brackets. Returns whether they decide, whether they fit or not.
    fn read_brackets(&mut self) -> bool {
        let root = self.types.root();
        let scalar = self.types.is_scalar(root);
        let list = matches!(self.types.get(root), Type::List(_));
        if list {
            self.row = self.found.objects_in_row();
        }
        let only = self.found.candidates.len() == 1;
        let mut outcomes: Vec<ReadingOutcome> = Vec::new();
        let (mut presented, mut wrong) = (false, false);
        for index in 0..self.found.candidates.len() {
            let presentation = self.found.presentations[index];
            let candidate = &self.found.candidates[index];
            let is_presented = presentation == Presentation::Answer && candidate.is_notation;
            presented |= is_presented;
            // Brackets within prose do not present a single number or choice.
            let in_row = list && !self.row.is_empty() && candidate.is_object();
            let later = in_row && self.row.first() != Some(&index);
            if scalar && !is_presented || later || presentation == Presentation::Excluded {
                continue;
            }
            let is_repaired = |index: &usize| !self.found.candidates[*index].repairs.is_empty();
            let is_repaired = is_repaired(&index) || in_row && self.row.iter().any(is_repaired);
            self.coercer.all_open =
                self.partial && (scalar || presentation < Presentation::Answer || is_repaired);
            let is_list = list && matches!(candidate.node.kind, NodeKind::List(_));
            let reading = match in_row {
                true => Reading::Row,
                false => Reading::Candidate(index),
            };
            // The messages of the only candidate are needed if it does not fit.
            let fit = self.match_reading(reading, only);
            self.coercer.all_open = false;
            let fit = match fit {
                Ok(fit) => Ok(self.fitting_candidate(fit, reading)),
                Err(mismatch) => {
                    let near = mismatch.matched;
                    self.record_mismatch(near, || match only {
                        true => Attempt::Known(mismatch),
                        false => Attempt::Reading(reading),
                    });
                    if near == 0 && !(is_presented && (scalar || is_list)) {
                        wrong |= presentation > Presentation::Example
                            && self.found.candidates[index].is_notation;
                        continue;
                    }
                    Err(near)
                }
            };
            outcomes.push(ReadingOutcome {
                reading,
                presentation,
                fit,
            });
        }
        // A value that does not fit is likely the answer, badly written; an example that fits must not take its place.
        if wrong
            && outcomes
                .iter()
                .all(|outcome| outcome.presentation == Presentation::Example)
        {
            // An example does not replace an answer.
            return true;
        }
        self.choose_outcome(outcomes) || presented
    }

    /// Matches what is in brackets against the schema.
    fn match_reading(&mut self, reading: Reading, reports: bool) -> Result<Fit, Mismatch> {
        let (found, row, root) = (&self.found, &self.row, self.types.root());
        self.coercer
            .with_reporting(reports, |coercer| match reading {
                Reading::Candidate(index) => {
                    coercer.coerce_candidate(&found.candidates[index], root)
                }
                Reading::Row => {
                    let candidates = row.iter().map(|&index| &found.candidates[index]);
                    coercer.coerce_sequence(&candidates.collect::<Vec<_>>(), root)
                }
            })
    }

    fn fitting_candidate(&self, fit: Fit, reading: Reading) -> FittingCandidate {
        let row = match &reading {
            Reading::Candidate(index) => std::slice::from_ref(index),
            Reading::Row => &self.row,
        };
        let mut repairs: Vec<SyntaxRepair> = Vec::new();
        let (mut start, mut end, mut ending) = (usize::MAX, 0, Ending::Whole);
        for &index in row {
            let candidate = &self.found.candidates[index];
            start = start.min(candidate.node.span.start);
            end = candidate.node.span.end;
            ending = Ending::from_node(&candidate.node, candidate.dangling);
            repairs.extend_from_slice(&candidate.repairs);
        }
        let is_unescaped = |repair: &SyntaxRepair| repair.kind == RepairKind::UnescapedQuotes;
        if self.undelimited_ending() != Ending::Whole && repairs.iter().any(is_unescaped) {
            // The rest of a string may follow its brackets.
            ending = Ending::Cut;
        }
        let is_list = matches!(self.types.get(self.types.root()), Type::List(_));
        if is_list
            && ending == Ending::Whole
            && row
                .iter()
                .all(|&index| self.found.candidates[index].is_object())
        {
            // Further objects may follow.
            ending = self.undelimited_ending();
        }
        FittingCandidate::new(fit, Span::new(start, end), ending, &repairs)
    }

    /// The ending of a value without a delimiter of its own.
    fn undelimited_ending(&self) -> Ending {
        match self.context.arrival {
            Arrival::Truncated => Ending::Unclosed,
            _ => Ending::Whole,
        }
    }

    /// Chooses one of the outcomes, and returns whether any of them decides.
    fn choose_outcome(&mut self, outcomes: Vec<ReadingOutcome>) -> bool {
        let Some(top) = outcomes.iter().map(|outcome| outcome.presentation).max() else {
            return false;
        };
        let repeats =
            |whole: usize, part: usize| match (outcomes[whole].reading, outcomes[part].reading) {
                (Reading::Candidate(whole), Reading::Candidate(part)) => {
                    let node = |index: usize| &self.found.candidates[index].node;
                    node(whole).contains_all_of(node(part))
                }
                _ => false,
            };
        let fits = |index: &usize| outcomes[*index].fit.is_ok();
        let cost = |index: &usize| {
            outcomes[*index]
                .fit
                .as_ref()
                .map_or(u32::MAX, |fit| fit.cost)
        };
        let mut of_top = (0..outcomes.len()).filter(|&index| outcomes[index].presentation == top);
        // Models give the answer first and discuss it afterwards, so the first presented value decides even if it does not fit. A
        // later one is accepted only if it contains all of the first, as an answer that was completed.
        let (wrong, chosen) = if top == Presentation::Answer {
            let first = of_top.next().unwrap_or_default();
            let mut later = first + 1..outcomes.len();
            match fits(&first) {
                true => (Vec::new(), Some(first)),
                false => (
                    vec![first],
                    later.find(|index| fits(index) && repeats(*index, first)),
                ),
            }
        } else {
            let (right, wrong): (Vec<usize>, Vec<usize>) = of_top.partition(fits);
            (wrong, right.into_iter().min_by_key(cost))
        };
        let refused = |index: &usize| chosen.is_none_or(|chosen| !repeats(chosen, *index));
        if let Some(index) = wrong.into_iter().find(refused) {
            if self.found.candidates.len() > 1 {
                let near = outcomes[index]
                    .fit
                    .as_ref()
                    .err()
                    .copied()
                    .unwrap_or_default();
                let attempt = Attempt::Reading(outcomes[index].reading);
                self.nearest = Some(ClosestMismatch {
                    matched: near,
                    attempt,
                });
            }
            return true;
        }
        if let Some(why) = chosen.and_then(|chosen| self.find_objection(&outcomes, chosen)) {
            self.found.unreadable = Some(why);
            return true;
        }
        for (index, outcome) in outcomes.into_iter().enumerate() {
            let Ok(mut fit) = outcome.fit else { continue };
            if top < Presentation::Answer && self.undelimited_ending() != Ending::Whole {
                // The answer itself may follow.
                fit.ending = Ending::Cut;
            }
            if Some(index) == chosen {
                self.chosen = Some(self.options.len());
            }
            self.options.push(fit);
        }
        true
    }

    /// Why the chosen outcome may not be the answer, or not all of it: the text offers another value beside it, or leaves out items.
    fn find_objection(&self, outcomes: &[ReadingOutcome], chosen: usize) -> Option<Unreadable> {
        let is_list = matches!(self.types.get(self.types.root()), Type::List(_));
        let row = match &outcomes[chosen].reading {
            Reading::Candidate(index) => std::slice::from_ref(index),
            Reading::Row => &self.row,
        };
        if is_list && let Some(at) = self.found.leaves_out(self.answer, row) {
            let why = LEAVES_OUT;
            return Some(Unreadable { at, why });
        }
        let [index] = row else { return None };
        fn value(outcome: &ReadingOutcome) -> Option<&Value> {
            outcome.fit.as_ref().ok().map(|fit| &fit.fit.value)
        }
        let is_other = |other: &usize| {
            let is_it = |outcome: &&ReadingOutcome| matches!(outcome.reading, Reading::Candidate(index) if index == *other);
            let (fits, differs) = match outcomes.iter().find(is_it).map(value) {
                Some(other) => (other.is_some(), other != value(&outcomes[chosen])),
                None => (false, is_list && self.found.is_list(*other)),
            };
            differs && self.found.is_alternative(self.answer, *index, *other, fits)
        };
        let mut later = (index + 1..self.found.candidates.len()).take(MAX_ALTERNATIVES);
        (!self.partial && later.any(|other| is_other(&other))).then(|| Unreadable {
            at: self.found.candidates[*index].node.span.end,
            why: "it is not clear which of the values around this is the answer",
        })
    }

    fn match_candidate(&mut self, candidate: Candidate<'s>) {
        self.coercer.all_open = self.partial;
        let fit = self.coercer.coerce_candidate(&candidate, self.types.root());
        self.coercer.all_open = false;
        match fit {
            Ok(fit) => {
                let ending = match Ending::from_node(&candidate.node, candidate.dangling) {
                    Ending::Whole if candidate.node.is_container() || fit.value.is_array() => {
                        self.undelimited_ending()
                    }
                    ending => ending,
                };
                let span = candidate.node.span;
                self.options
                    .push(FittingCandidate::new(fit, span, ending, &candidate.repairs));
            }
            Err(mismatch) => self.record_mismatch(mismatch.matched, || Attempt::Loose(candidate)),
        }
    }

    /// Keeps the closest mismatch; of equals the first.
    fn record_mismatch(&mut self, near: usize, attempt: impl FnOnce() -> Attempt<'s>) {
        let nearer = |other: &ClosestMismatch<'_>| near > other.matched;
        if self.nearest.as_ref().is_none_or(nearer) {
            let attempt = attempt();
            self.nearest = Some(ClosestMismatch {
                matched: near,
                attempt,
            });
        }
    }

    /// Reads notation without brackets; the less certain one only if no other fits. Returns whether there is any.
    fn read_unbracketed(&mut self) -> bool {
        let (answer, from) = (self.answer, self.from);
        let bare = self.found.candidates.is_empty();
        let first = self
            .found
            .candidates
            .first()
            .map_or(answer.len(), |candidate| candidate.node.span.start);
        let mut structured = self.read_quoted_strings();
        for (start, end) in self.answer_bodies() {
            if let Some(candidate) = object_entries(answer, start, end, first, self.context) {
                self.match_candidate(candidate);
                structured = true;
            }
            if bare && let Some(candidate) = list_items(answer, start, end, self.context) {
                structured |= answer[start..end].contains(is_opening_quote);
                self.match_candidate(candidate);
            }
        }
        if !(bare && self.options.is_empty()) || self.partial {
            return structured;
        }
        let root = self.types.root();
        if let Type::Object(object) = self.types.get(root)
            && let Some(candidate) = key_value_lines(answer, from, object, self.context)
        {
            self.match_candidate(candidate);
            structured = true;
        }
        if let Some(candidate) = markdown_list(answer, from, self.context) {
            let several = matches!(&candidate.node.kind, NodeKind::List(items) if items.len() > 1);
            // In prose about a single value a list may be an explanation.
            let Span { start, end } = candidate.node.span;
            let is_blank = |part: &str| !part.contains(char::is_alphabetic);
            let all = is_blank(&answer[from..start]) && is_blank(&answer[end..]);
            if matches!(self.types.get(root), Type::List(_)) || several && all {
                self.match_candidate(candidate);
                structured = true;
            }
        }
        structured
    }

    /// The answer and the fences' bodies, without the space around them.
    fn answer_bodies(&self) -> Vec<(usize, usize)> {
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

    /// Reads a quoted string that is the whole answer, or a whole fence. Returns whether there is one.
    fn read_quoted_strings(&mut self) -> bool {
        let mut any = false;
        for (start, end) in self.answer_bodies() {
            let body = &self.answer[start..end];
            if !body.starts_with(is_opening_quote) || body.starts_with("``") {
                continue;
            }
            let mut reader = JsonParser::new(self.answer, start, end, self.context, false);
            let inner = |reader: &JsonParser<'_, '_>| {
                reader
                    .repairs
                    .iter()
                    .any(|mark| mark.kind == RepairKind::UnescapedQuotes)
            };
            if let Ok(node) = reader.read_string()
                && node.span.end == end
                && !inner(&reader)
            {
                let candidate = reader.into_candidate(node);
                self.match_candidate(candidate);
                any = true;
            }
        }
        any
    }

    /// Reads the value of the answer, or of a fence, in prose. In a fence it must be the value itself.
    fn read_prose(&mut self) {
        let fences = self.fences.len();
        for (index, (start, end)) in self.answer_bodies().into_iter().enumerate() {
            let span = Span::new(start, end);
            match self.coerce_span(span) {
                Ok(fit) if index >= fences || !fit.inferred => {
                    let ending = self.prose_ending(&fit, span);
                    self.options
                        .push(FittingCandidate::new(fit, span, ending, &[]));
                }
                Err(mismatch) if index >= fences => {
                    self.record_mismatch(mismatch.matched, || Attempt::Prose(span));
                }
                _ => {}
            }
        }
    }

    /// Matches a part of the answer as prose, without the notation in it.
    fn coerce_span(&mut self, span: Span) -> Result<Fit, Mismatch> {
        let mut text = String::with_capacity(span.end - span.start);
        let mut at = span.start;
        for candidate in self
            .found
            .candidates
            .iter()
            .filter(|candidate| candidate.is_notation)
        {
            let Span { start, end } = candidate.node.span;
            if at <= start && end <= span.end {
                text.push_str(&self.answer[at..start]);
                text.push(' ');
                at = end;
            }
        }
        text.push_str(&self.answer[at..span.end]);
        let node = self
            .context
            .new_node(span, End::Sure, NodeKind::Unquoted(&text));
        self.coercer
            .coerce_prose(&node, self.types.root(), MAX_PROSE_LEVELS)
    }

    /// The ending of a value in prose. At the end of a truncated text only a literal is complete that no other one continues, and a
    /// number or a choice before a line break.
    fn prose_ending(&self, fit: &Fit, span: Span) -> Ending {
        let continues = !self.answer[span.end..].contains('\n')
            && (self.types.may_continue(&fit.value) || !fit.repairs.is_empty());
        let is_text = |repair: &ValueRepair| repair.kind == RepairKind::AnswerAsText;
        let is_open = fit.value.is_array() || fit.repairs.iter().any(is_text);
        match self.context.arrival {
            Arrival::Truncated if fit.inferred || continues || is_open => Ending::Cut,
            _ => Ending::Whole,
        }
    }

    /// Whether only a comma or a line break is between two candidates.
    fn is_beside(&self, one: &FittingCandidate, other: &FittingCandidate) -> bool {
        let between = match one.span.end <= other.span.start {
            true => one.span.end..other.span.start,
            false => other.span.end..one.span.start,
        };
        !self.answer[between].contains(|c: char| !c.is_whitespace() && c != ',')
    }

    fn choose_option(mut self) -> Result<Parsed, ParseError> {
        let cheapest = || (0..self.options.len()).min_by_key(|&at| self.options[at].cost);
        let Some(best) = self.chosen.or_else(cheapest) else {
            return Err(self.closest_error());
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
                let message = format!(
                    "the answer contains both `{value}` and `{}`",
                    other.fit.value
                );
                return Err(self.error_at(other.span, message));
            }
            if chosen.fit.value.is_array()
                && other.fit.value.is_array()
                && self.is_beside(&chosen, other)
            {
                let message = "the answer has several lists side by side".to_owned();
                return Err(self.error_at(other.span, message));
            }
            let kind = RepairKind::OtherCandidate;
            let span = other.span;
            chosen.repairs.push(SyntaxRepair { kind, span });
        }
        Ok(self.build_parsed(chosen.fit, chosen.span, chosen.ending, &chosen.repairs))
    }

    /// The result, with the repairs of its notation and of the text around it.
    pub(crate) fn build_parsed(
        &self,
        fit: Fit,
        span: Span,
        ending: Ending,
        repairs: &[SyntaxRepair],
    ) -> Parsed {
        // The text around an answer has no cost, so it is inspected only now.
        let around = surrounding_repairs(self.answer, self.from, span, &self.fences);
        Parsed {
            repairs: sorted_repairs(self.answer, fit.repairs, &around, repairs),
            open: fit.open.iter().map(json_pointer).collect(),
            value: fit.value,
            ending,
        }
    }

    fn closest_error(&mut self) -> ParseError {
        if let Some(Unreadable { at, why }) = self.found.unreadable {
            let length = self.answer[at..].chars().next().map_or(0, char::len_utf8);
            return self.error_at(Span::new(at, at + length), why.to_owned());
        }
        let refuses = is_model_refusal(&self.answer[self.from..]);
        if let Some(mismatch) = self.closest_mismatch()
            && (mismatch.matched > 0 || !refuses)
            && !mismatch.issues.is_empty()
        {
            let issues = mismatch
                .issues
                .into_iter()
                .map(|issue| Issue::from_raw(self.answer, issue));
            return ParseError::new(self.answer, issues.collect());
        }
        let message = if refuses {
            "the model refuses to answer"
        } else {
            "the answer does not contain such a value"
        };
        let body = self.answer[self.from..].trim();
        let start = self.answer.len() - self.answer[self.from..].trim_start().len();
        self.error_at(Span::new(start, start + body.len()), message.to_owned())
    }

    fn error_at(&self, span: Span, message: String) -> ParseError {
        ParseError::from_issue(
            self.answer,
            span,
            message,
            expected_label(self.types, self.types.root()),
        )
    }

    /// The closest mismatch, with messages.
    fn closest_mismatch(&mut self) -> Option<Mismatch> {
        let root = self.types.root();
        let fit = match self.nearest.take()?.attempt {
            Attempt::Known(mismatch) => Err(mismatch),
            Attempt::Reading(reading) => self.match_reading(reading, true),
            Attempt::Loose(candidate) => {
                let coercer = &mut self.coercer;
                coercer.with_reporting(true, |coercer| coercer.coerce_candidate(&candidate, root))
            }
            Attempt::Prose(span) => {
                self.coercer.reports = true;
                self.coerce_span(span)
            }
        };
        fit.err()
    }
}
