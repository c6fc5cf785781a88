//! Reads an answer: what is right already, then JSON in the text, then the other forms. The validator decides about each result.

use crate::coerce::Coercer;
use crate::describe::{describe_type, excerpt, expected_label};
use crate::error::{Issue, ParseError};
use crate::fence::{Fence, find_fences};
use crate::fit::{Fit, Mismatch};
use crate::forms::{Form, FormResult};
use crate::identity::{ExactJson, parse_exact_json};
use crate::parsed::{Ending, Parsed};
use crate::parser::{Arrival, Candidate, JsonParser, ParseContext};
use crate::path::json_pointer;
use crate::reasoning::{Start, answer_start};
use crate::repair::{RepairKind, SyntaxRepair, sorted_repairs};
use crate::schema::Schema;
use crate::string::is_opening_quote;
use crate::syntax::{End, NodeKind};
use crate::types::{FieldType, Object, Type, TypeIndex};
use crate::unbracketed::{FieldLines, key_value_lines, markdown_list, object_entries};
use crate::validate::{mismatch_of_value, node_at};
use crate::values::{FoundValues, Wanted, find_values, surrounding_repairs};
use prompt_base::Span;
use serde_json::Value;

/// The longest answer that an error repeats, in bytes.
const MAX_SHORT: usize = 40;

/// How a schema that accepts nothing but a string reads its answer.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum TextAnswer {
    /// As it is written.
    Verbatim,
    /// As JSON: one string in quotes is decoded, also where its notation must be repaired.
    Json,
}

pub(crate) fn parse_answer(
    schema: &Schema,
    answer: &str,
    arrival: Arrival,
    text_answer: TextAnswer,
) -> Result<Parsed, ParseError> {
    let missing = |from: usize, message: &str| {
        let (span, label) = (Span::new(from, answer.len()), schema.expected_label());
        Err(ParseError::from_issue(
            answer,
            span,
            message.to_owned(),
            label,
        ))
    };
    if answer.trim_start().is_empty() {
        return missing(0, "the answer is empty");
    }
    let is_text = schema.types.is_text();
    let start = match answer_start(answer) {
        Start::At(start) => start,
        // A closing delimiter inside of a value is part of a string.
        Start::Perhaps(_) if is_exact(schema, answer) => 0,
        Start::Perhaps(start) if !is_text && is_inside(schema, answer, start) => 0,
        Start::Perhaps(start) => start,
        Start::Never => return missing(0, "the reasoning is not closed"),
    };
    if answer[start..].trim_start().is_empty() {
        return missing(start, "the answer is empty after the reasoning");
    }
    let context = ParseContext::new(schema, answer.len(), arrival);
    let rest = &answer[start..];
    let body_start = answer.len() - rest.trim_start().len();
    let reader = Reader {
        schema,
        context: &context,
        answer,
        from: start,
        body: Span::new(body_start, body_start + rest.trim().len()),
        fences: find_fences(answer, start),
        coercer: Coercer::new(&schema.types, &context, answer),
    };
    reader.read(text_answer)
}

/// Whether the whole answer is JSON that satisfies the schema.
fn is_exact(schema: &Schema, answer: &str) -> bool {
    parse_exact_json(answer).is_some_and(|json| schema.validator.is_valid(&json.value))
}

/// Whether a position is inside a value of the answer.
fn is_inside(schema: &Schema, answer: &str, at: usize) -> bool {
    let context = ParseContext::new(schema, answer.len(), Arrival::Whole);
    let wanted = Wanted {
        objects: true,
        lists: true,
    };
    let found = find_values(answer, 0, wanted, &find_fences(answer, 0), &context);
    found.values.iter().any(|candidate| {
        let Span { start, end } = candidate.node.span;
        start < at && at < end
    })
}

/// Whether a part of the value of a candidate is complete in the text.
fn is_closed(candidate: &Candidate<'_>, value: &Value, pointer: &str) -> bool {
    node_at(&candidate.node, value, pointer)
        .is_ok_and(|node| node.end == End::Sure && node.span.end <= candidate.settled)
}

/// The fields of that name.
fn fields_of<'s>(objects: &[&'s Object], name: &str) -> impl Iterator<Item = &'s FieldType> {
    let find = move |object: &&'s Object| object.find_field(name).map(|(at, _)| &object.fields[at]);
    objects.iter().filter_map(find)
}

struct Reader<'s> {
    schema: &'s Schema,
    context: &'s ParseContext<'s>,
    answer: &'s str,
    /// The start of the answer, after the reasoning.
    from: usize,
    /// The answer without the white space around it.
    body: Span,
    fences: Vec<Fence>,
    coercer: Coercer<'s>,
}

impl<'s> Reader<'s> {
    fn read(mut self, text_answer: TextAnswer) -> Result<Parsed, ParseError> {
        if let Some(parsed) = self.read_exactly() {
            return Ok(parsed);
        }
        if self.schema.types.is_text() {
            return self.read_text(text_answer);
        }
        if let Some(candidate) = self.whole_string() {
            return self.parse_candidates(&[candidate]);
        }
        let (types, root) = (&self.schema.types, self.schema.types.root());
        let is_list = types.any_variant(root, |ty| matches!(ty, Type::List(_) | Type::Any));
        let is_object = types.any_variant(root, |ty| matches!(ty, Type::Object(_) | Type::Any));
        let mut found = FoundValues::default();
        if is_list || is_object {
            let wanted = Wanted {
                // A list of one object may be written as this object.
                objects: is_object || self.only_item().is_some(),
                lists: is_list,
            };
            found = find_values(self.answer, self.from, wanted, &self.fences, self.context);
            if let Some((span, why)) = found.objection {
                return Err(self.error_at(span, why.to_owned()));
            }
            let lines = self.lines_around(&found.values);
            // While an answer arrives, other lines may follow.
            if lines == FieldLines::Only
                && !self.is_partial()
                && let Some(candidate) = self.unbracketed_value(true, false)
                && self.propose(&candidate, false).is_ok()
            {
                return self.parse_candidates(&[candidate]);
            }
            let is_read = match lines {
                FieldLines::None => true,
                FieldLines::Only => !self.is_partial(),
                FieldLines::Several => false,
            };
            if !found.values.is_empty() && is_read {
                return self.parse_candidates(&found.values);
            }
            let other = self.unbracketed_value(is_object, is_list);
            if let Some(candidate) = other {
                return self.parse_candidates(&[candidate]);
            }
        }
        if !self.is_partial()
            && let Some(result) = self.read_forms()
        {
            return result;
        }
        Err(self.missing_value(&found.others))
    }

    fn is_partial(&self) -> bool {
        self.context.is_partial()
    }

    /// The type of the items, if the whole answer is a list and its items may be objects.
    fn only_item(&self) -> Option<TypeIndex> {
        let types = &self.schema.types;
        let is_object = |ty: &Type| matches!(ty, Type::Object(_) | Type::Any);
        match types.get(types.root()) {
            Type::List(list) if list.first.is_empty() => {
                Some(list.rest).filter(|&item| types.any_variant(item, is_object))
            }
            _ => None,
        }
    }

    /// The whole answer, or the content of its fence if that is the whole answer.
    fn content(&self) -> Span {
        match self.fences[..] {
            [fence] if fence.outer.start == self.body.start && fence.outer.end >= self.body.end => {
                let body = &self.answer[fence.body.start..fence.body.end];
                let start = fence.body.end - body.trim_start().len();
                Span::new(start, start + body.trim().len())
            }
            _ => self.body,
        }
    }

    /// The value of an answer that is right already: JSON that satisfies the schema, alone or in one fence.
    fn read_exactly(&self) -> Option<Parsed> {
        let span = self.content();
        let json = &self.answer[span.start..span.end];
        let ExactJson { value, is_rounded } = parse_exact_json(json)?;
        // What follows may belong to a number or a word.
        let is_container = value.is_array() || value.is_object();
        let may_grow = !is_container && !self.answer[span.end..].contains('\n');
        let fit = match self.context.arrival {
            Arrival::Whole => Fit::from_value(value),
            Arrival::Truncated if may_grow && value.is_number() => return None,
            Arrival::Truncated => Fit::from_value(value),
            // Its digits are in the whole answer only.
            Arrival::Partial if is_rounded => return None,
            Arrival::Partial if is_container => Fit::from_value(value),
            Arrival::Partial if value.is_string() => Fit::from_value(value).mark_open(),
            Arrival::Partial => return None,
        };
        let is_valid = self.schema.validator.is_valid(&fit.value);
        is_valid.then(|| Parsed {
            exact: Some(json.to_owned()),
            is_rounded,
            ..self.build_parsed(fit, span, Ending::Whole, &[])
        })
    }

    /// Reads the answer for a schema that accepts nothing but a string: as it is written, since any of it may be meant.
    fn read_text(self, text_answer: TextAnswer) -> Result<Parsed, ParseError> {
        let whole = Span::new(self.from, self.answer.len());
        let is_nullable = matches!(
            self.schema.types.get(self.schema.types.root()),
            Type::Nullable(_)
        );
        let body = &self.answer[self.body.start..self.body.end];
        if is_nullable && body == "null" {
            return Ok(self.build_parsed(Fit::from_value(Value::Null), whole, Ending::Whole, &[]));
        }
        if text_answer == TextAnswer::Json
            && !self.is_partial()
            && let Some(candidate) = self.quoted_string(false)
        {
            return self.parse_candidates(&[candidate]);
        }
        let text = match self.from {
            0 => self.answer,
            from => self.answer[from..].trim_start(),
        };
        let ending = match self.context.arrival {
            Arrival::Truncated => Ending::Unclosed,
            _ => Ending::Whole,
        };
        if self.is_partial() {
            let fit = Fit::from_value(text).mark_open();
            return Ok(self.build_parsed(fit, whole, ending, &[]));
        }
        let mut fit = Fit::from_value(text);
        if !self.schema.validator.is_valid(&fit.value) {
            fit = Fit::from_value(body);
        }
        match self.validated(fit, None) {
            Ok(fit) => Ok(self.build_parsed(fit, whole, ending, &[])),
            Err(mismatch) => Err(self.error_of(mismatch)),
        }
    }

    /// An answer, or the content of its only fence, that is one string in quotes.
    fn quoted_string(&self, strict: bool) -> Option<Candidate<'s>> {
        let span = self.content();
        let body = &self.answer[span.start..span.end];
        if !body.starts_with(is_opening_quote) || body.starts_with("``") {
            return None;
        }
        let mut reader = JsonParser::new(self.answer, span.start, span.end, self.context, strict);
        let node = reader.read_string().ok()?;
        let is_whole = node.span.end == span.end && node.end != End::Cut;
        let is_unsure = |repair: &SyntaxRepair| repair.kind == RepairKind::UnescapedQuotes;
        (is_whole && !reader.repairs.iter().any(is_unsure)).then(|| reader.into_candidate(node))
    }

    /// An answer that is one string of JSON: brackets in it are not values of the answer.
    fn whole_string(&self) -> Option<Candidate<'s>> {
        if self.is_partial() {
            return None;
        }
        self.quoted_string(true)
    }

    /// The lines of keys and values, of which one has a value in brackets.
    fn lines_around(&self, values: &[Candidate<'_>]) -> FieldLines {
        let types = &self.schema.types;
        let objects = types.object_variants(types.root());
        let is_object = |ty: &Type| matches!(ty, Type::Object(_) | Type::Any);
        let holder = |key: &str| {
            let field =
                fields_of(&objects, key).find(|field| types.any_variant(field.ty, is_object));
            field.map(|field| &*field.name)
        };
        let names_field = |name: &str| fields_of(&objects, name).next().is_some();
        let around = |value: &Candidate<'_>| {
            let (body, value) = (self.body, value.node.span);
            FieldLines::around_value(self.answer, body, value, &names_field, &holder)
        };
        let lines = values.iter().map(around);
        lines.fold(FieldLines::None, |found, lines| match (found, lines) {
            (FieldLines::None, lines) => lines,
            (found, FieldLines::None) => found,
            _ => FieldLines::Several,
        })
    }

    /// A value without brackets: `key: value` lines, a Markdown list, a list in parentheses.
    fn unbracketed_value(&mut self, is_object: bool, is_list: bool) -> Option<Candidate<'s>> {
        let (answer, types) = (self.answer, &self.schema.types);
        if is_object {
            let objects = types.object_variants(types.root());
            let names_field = |name: &str| fields_of(&objects, name).next().is_some();
            let bodies = self.fences.iter().map(|fence| fence.body);
            for body in bodies.chain([self.body]) {
                let found =
                    object_entries(answer, body.start, body.end, self.context, &names_field);
                if found.is_some() {
                    return found;
                }
            }
        }
        if self.is_partial() {
            return None;
        }
        if let Type::Object(object) = types.without_null(types.root())
            && let Some(candidate) = key_value_lines(answer, self.from, object, self.context)
        {
            return Some(candidate);
        }
        if !is_list {
            return None;
        }
        let body = &answer[self.body.start..self.body.end];
        if body.starts_with('(') && body.ends_with(')') {
            let kind = NodeKind::Unquoted(body);
            let node = self.context.new_node(self.body, End::Sure, kind);
            return Some(Candidate::new(node, Vec::new()));
        }
        markdown_list(answer, self.from, self.context)
    }

    /// Matches the values of the answer, which must all be the same.
    fn parse_candidates(mut self, candidates: &[Candidate<'s>]) -> Result<Parsed, ParseError> {
        let mut chosen: Option<(usize, Fit)> = None;
        let mut nearest: Option<(usize, usize)> = None;
        let mut different = None;
        for (index, candidate) in candidates.iter().enumerate() {
            match self.propose(candidate, false) {
                Ok(fit) => match &chosen {
                    None => chosen = Some((index, fit)),
                    Some((_, first)) if first.value != fit.value => different = Some(index),
                    Some(_) => {}
                },
                Err(mismatch) => {
                    if nearest.is_none_or(|(_, matched)| mismatch.matched > matched) {
                        nearest = Some((index, mismatch.matched));
                    }
                }
            }
            // Only the first one is reported while the answer arrives.
            if self.is_partial() && chosen.is_some() {
                break;
            }
        }
        let is_partial = self.is_partial();
        let (index, fit) = match (chosen, nearest) {
            (Some(chosen), _) if is_partial => chosen,
            (Some(chosen), None) => chosen,
            (Some(_), Some((other, _))) => return Err(self.different_values(&candidates[other])),
            (None, Some((index, _))) => {
                let error = match self.propose(&candidates[index], true) {
                    Err(mismatch) => self.error_of(mismatch),
                    Ok(_) => self.missing_value(&[]),
                };
                return Err(error);
            }
            (None, None) => return Err(self.missing_value(&[])),
        };
        // The same object twice may be two items of a list.
        if self.only_item().is_some() && candidates.len() > 1 && candidates[index].is_object() {
            different = Some(1);
        }
        if let Some(other) = different.filter(|_| !is_partial) {
            return Err(self.different_values(&candidates[other]));
        }
        let candidate = &candidates[index];
        let span = candidate.node.span;
        let ending = self.candidate_ending(candidate);
        let mut repairs = Vec::new();
        if ending != Ending::Whole {
            let end = Span::new(span.end, span.end);
            repairs.push(SyntaxRepair::new(RepairKind::Truncated, end));
        }
        repairs.extend_from_slice(&candidate.repairs);
        let others = candidates.iter().enumerate().filter(|(at, _)| *at != index);
        repairs.extend(
            others.map(|(_, other)| SyntaxRepair::new(RepairKind::OtherCandidate, other.node.span)),
        );
        Ok(self.build_parsed(fit, span, ending, &repairs))
    }

    fn candidate_ending(&self, candidate: &Candidate<'_>) -> Ending {
        let is_truncated = self.context.arrival == Arrival::Truncated;
        let is_unescaped = |repair: &SyntaxRepair| repair.kind == RepairKind::UnescapedQuotes;
        let is_unbracketed = |repair: &SyntaxRepair| {
            matches!(
                repair.kind,
                RepairKind::MissingOuterBrackets | RepairKind::KeyValueLines | RepairKind::Bullets
            )
        };
        // With a text before it, another value may still follow.
        let is_first = match Fence::find_containing(&self.fences, candidate.node.span.start) {
            Some(fence) => fence.outer.start == self.body.start,
            None => candidate.node.span.start == self.body.start,
        };
        match Ending::from_node(&candidate.node, candidate.dangling) {
            _ if is_truncated && !is_first => Ending::Cut,
            // The rest of a string may follow its brackets.
            _ if is_truncated && candidate.repairs.iter().any(is_unescaped) => Ending::Cut,
            Ending::Whole if is_truncated && candidate.repairs.iter().any(is_unbracketed) => {
                Ending::Unclosed
            }
            // Further objects may follow.
            Ending::Whole
                if is_truncated && self.only_item().is_some() && candidate.is_object() =>
            {
                Ending::Unclosed
            }
            ending => ending,
        }
    }

    /// Proposes a value for a candidate: as it is written, or else converted to the types of the schema. The validator decides.
    fn propose(&mut self, candidate: &Candidate<'_>, reports: bool) -> Result<Fit, Mismatch> {
        let root = self.schema.types.root();
        let item = self.only_item().filter(|_| candidate.is_object());
        let is_whole = candidate.loss.is_none() && !self.is_partial();
        // The keys of lines are words of a text: `Name: Ann` gives the field `name`, also if the schema allows other keys.
        let is_lines = |repair: &SyntaxRepair| repair.kind == RepairKind::KeyValueLines;
        if is_whole
            && item.is_none()
            && !candidate.repairs.iter().any(is_lines)
            && candidate.node.is_container()
            && let Ok(fit) = self
                .coercer
                .without_messages(|coercer| coercer.coerce_any(&candidate.node))
            && self.schema.validator.is_valid(&fit.value)
        {
            return Ok(fit);
        }
        let fit = self.coercer.with_reporting(reports, |coercer| match item {
            Some(item) => coercer.coerce_candidate(candidate, |coercer, node| {
                coercer.coerce_only_item(node, item)
            }),
            None => {
                coercer.coerce_candidate(candidate, |coercer, node| coercer.coerce_node(node, root))
            }
        });
        let mut fit = fit?;
        if self.is_partial() {
            let is_refused = item.is_none() && self.is_refused_as_written(candidate, &fit);
            let open = fit.repairs.iter().filter(|repair| {
                // Another value may be the result if the text as it is written fits, and another spelling of the key may follow.
                let path = match repair.kind {
                    RepairKind::KeySpelling => repair.path.get(1..).unwrap_or_default(),
                    _ => repair.path.as_slice(),
                };
                !is_refused || !is_closed(candidate, &fit.value, &json_pointer(path))
            });
            let open = open.map(|repair| repair.path.clone()).collect();
            fit.mark_parts_open(open);
            return Ok(fit);
        }
        self.validated(fit, Some(candidate))
    }

    /// Whether the text as it is written does not satisfy the schema, whatever follows: a part of it that is complete does not.
    fn is_refused_as_written(&mut self, candidate: &Candidate<'_>, fit: &Fit) -> bool {
        /// Keywords whose schemas apply, or not, by what follows.
        const CONDITIONAL: [&str; 4] = ["/then", "/else", "/dependentSchemas", "/contains"];
        if fit.repairs.is_empty() {
            return false;
        }
        let written = self
            .coercer
            .without_messages(|coercer| coercer.coerce_any(&candidate.node));
        let Ok(written) = written else {
            return false;
        };
        self.schema
            .validator
            .iter_errors(&written.value)
            .any(|error| {
                let keyword = error.schema_path().as_str();
                let at = error.instance_path().as_str();
                !CONDITIONAL.iter().any(|name| keyword.contains(name))
                    && is_closed(candidate, &written.value, at)
            })
    }

    /// A value that satisfies the schema, or what the validator reports.
    fn validated(&self, fit: Fit, candidate: Option<&Candidate<'_>>) -> Result<Fit, Mismatch> {
        let schema = self.schema;
        match schema.validator.is_valid(&fit.value) {
            true => Ok(fit),
            false => Err(mismatch_of_value(
                schema,
                &fit.value,
                candidate,
                self.body,
                self.answer,
            )),
        }
    }

    /// A number, a boolean or a literal outside of JSON. `None` if the answer contains none of the forms.
    fn read_forms(&mut self) -> Option<Result<Parsed, ParseError>> {
        let types = &self.schema.types;
        let root = types.root();
        let mut scalars = types.scalars(root);
        if matches!(types.get(root), Type::Nullable(_) | Type::Null) {
            scalars.push(types.null());
        }
        if scalars.is_empty() {
            return None;
        }
        let found =
            self.coercer
                .find_in_forms(self.body, &self.fences, &scalars, &self.schema.titles);
        let value = match found {
            FormResult::Value(value) => value,
            FormResult::Unclear(span, message) => return Some(Err(self.error_at(span, message))),
            FormResult::None => return None,
        };
        let rest = &self.answer[value.span.end..];
        let may_continue = match value.fit.value {
            // Another word may begin with it: `No` and `None`.
            Value::Bool(_) | Value::Null => rest.is_empty(),
            ref value => types.may_continue(value) && !rest.contains('\n'),
        };
        let ending = match (self.context.arrival, value.form) {
            (Arrival::Truncated, Form::Whole) if !may_continue => Ending::Whole,
            (Arrival::Truncated, Form::Fence) if self.fences.iter().all(|fence| fence.closed) => {
                Ending::Whole
            }
            (Arrival::Truncated, _) => Ending::Cut,
            _ => Ending::Whole,
        };
        let span = value.span;
        let fit = match self.validated(value.fit, None) {
            Ok(fit) => fit,
            Err(mismatch) => return Some(Err(self.error_of(mismatch))),
        };
        let repairs = match value.form {
            Form::Whole if fit.repairs.is_empty() => Vec::new(),
            _ => vec![SyntaxRepair::new(RepairKind::AnswerForm, span)],
        };
        Some(Ok(self.build_parsed(fit, span, ending, &repairs)))
    }

    /// The result, with the repairs of its notation and of the text around it.
    fn build_parsed(
        &self,
        fit: Fit,
        span: Span,
        ending: Ending,
        repairs: &[SyntaxRepair],
    ) -> Parsed {
        let around = surrounding_repairs(self.answer, self.from, span, &self.fences);
        Parsed {
            repairs: sorted_repairs(self.answer, fit.repairs, &around, repairs),
            open: fit.open.iter().map(|path| json_pointer(path)).collect(),
            value: fit.value,
            ending,
            exact: None,
            is_rounded: false,
        }
    }

    fn different_values(&self, other: &Candidate<'_>) -> ParseError {
        let message = "the answer contains several different values".to_owned();
        self.error_at(other.node.span, message)
    }

    /// The error for an answer without a value in one of the forms. `others`: values of another kind.
    fn missing_value(&mut self, others: &[Candidate<'s>]) -> ParseError {
        if let Some(other) = others.first()
            && let Err(mismatch) = self.propose(other, true)
            && !mismatch.issues.is_empty()
        {
            return self.error_of(mismatch);
        }
        let body = &self.answer[self.body.start..self.body.end];
        let (types, root) = (&self.schema.types, self.schema.types.root());
        let is_short = !body.contains('\n') && body.len() <= MAX_SHORT;
        let is_number = types.any_variant(root, |ty| matches!(ty, Type::Number(_)));
        let long = match is_short && is_number {
            true => parse_exact_json(body).filter(|json| json.is_rounded),
            false => None,
        };
        if let Some(ExactJson { value, .. }) = &long
            && !self.schema.validator.is_valid(value)
        {
            let mismatch = mismatch_of_value(self.schema, value, None, self.body, self.answer);
            return self.error_of(mismatch);
        }
        let message = match is_short {
            true if long.is_some() => format!("`{}` does not fit into 64 bits", excerpt(body)),
            true => format!("`{}` is not {}", excerpt(body), describe_type(types, root)),
            false => {
                "the answer does not contain such a value in one of the accepted forms".to_owned()
            }
        };
        self.error_at(self.body, message)
    }

    fn error_of(&self, mismatch: Mismatch) -> ParseError {
        if mismatch.issues.is_empty() {
            let message = "the answer does not fit".to_owned();
            return self.error_at(self.body, message);
        }
        let issues = mismatch.issues.into_iter();
        let issues = issues.map(|issue| Issue::from_raw(self.answer, issue));
        ParseError::new(self.answer, issues.collect())
    }

    fn error_at(&self, span: Span, message: String) -> ParseError {
        let types = &self.schema.types;
        let label = expected_label(types, types.root());
        ParseError::from_issue(self.answer, span, message, label)
            .with_help(accepted_forms(self.schema))
    }
}

/// The forms in which a value of the schema is accepted, as an instruction.
fn accepted_forms(schema: &Schema) -> String {
    let (types, root) = (&schema.types, schema.types.root());
    match types.get(root) {
        Type::List(_) => {
            "write one JSON list, alone or in one code fence, or a Markdown list".to_owned()
        }
        Type::Object(_) => "write one JSON object, alone or in one code fence, or a line \
                            `name: value` for each field"
            .to_owned(),
        _ if types.scalars(root).is_empty() => {
            "write one JSON value, alone or in one code fence".to_owned()
        }
        _ => "write the value alone, as the first or the last line, or in a line \
              `Answer: value`"
            .to_owned(),
    }
}
