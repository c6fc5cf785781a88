//! The candidates for the answer: every bracket in a text may begin one, in prose, in a fence, or in a fence that is not closed.
//!
//! The inside of a candidate is never searched: a wrong answer must not be replaced by a part of it that happens to fit. Only
//! brackets around prose or code are, since these are not notation.

use crate::fence::Fence;
use crate::lookahead::{window_after, window_before};
use crate::name::{Names, is_one_of};
use crate::prose::{
    ANSWERS, MAX_INTRODUCTION, Presentation, is_around, is_brief, is_correction, is_taken_back,
    is_wordless,
};
use crate::reader::{
    Candidate, End, NodeKind, ObjectEntry, ParseContext, ReadError, SyntaxNode, SyntaxRepair,
    has_ellipsis, parse_value,
};
use crate::repair::RepairKind;
use crate::string::decode_escapes;
use crate::unquoted::is_literal;
use prompt_base::Span;

/// All candidates of a text.
#[derive(Default)]
pub(crate) struct Candidates<'t> {
    pub candidates: Vec<Candidate<'t>>,
    /// How the text presents each of them.
    pub presentations: Vec<Presentation>,
    pub unreadable: Option<Unreadable>,
}

/// Where parsing was abandoned, and why.
#[derive(Clone, Copy)]
pub(crate) struct Unreadable {
    pub at: usize,
    pub why: &'static str,
}

/// The largest number of candidates. More values in a row are not an answer.
const MAX_CANDIDATES: usize = 50_000;

pub(crate) fn find_candidates<'t>(
    text: &'t str,
    from: usize,
    fences: &[Fence],
    context: &ParseContext<'_>,
) -> Candidates<'t> {
    let mut found = Candidates::default();
    let mut at = from;
    let mut previous = from;
    let last = memchr::memrchr2(b'}', b']', text.as_bytes());
    while let Some(offset) = memchr::memchr2(b'{', b'[', &text.as_bytes()[at..]) {
        let start = at + offset;
        at = start + 1;
        if let Some(candidate) = read_escaped_json(text, start, last, context) {
            at = candidate.node.span.end.max(at);
            found.presentations.push(Presentation::from_context(
                text, from, previous, start, fences,
            ));
            previous = at;
            found.candidates.push(candidate);
            continue;
        }
        let fence = Fence::find_containing(fences, start).filter(|fence| fence.closed);
        let end = fence.map_or(text.len(), |fence| fence.body.end);
        match parse_within_fence(text, start, end, context) {
            Ok(mut candidate) => {
                let mut presentation =
                    Presentation::from_context(text, from, previous, start, fences);
                if presentation == Presentation::Mention && is_citation(&candidate.node) {
                    presentation = Presentation::Excluded;
                }
                candidate.is_notation = is_notation(text, &candidate.node, context.names)
                    || presentation == Presentation::Answer && is_list_of_words(&candidate.node);
                if candidate.is_notation {
                    at = candidate.node.span.end.max(at);
                // The text of a Markdown link is prose, whatever is in its brackets.
                } else if is_link(text, &candidate.node) {
                    continue;
                }
                found.presentations.push(presentation);
                previous = at;
                found.candidates.push(candidate);
                if found.candidates.len() == MAX_CANDIDATES {
                    found.unreadable = Some(Unreadable {
                        at: start,
                        why: "there are too many values here",
                    });
                    break;
                }
            }
            Err(ReadError::NotJson) => {}
            Err(stop) => {
                let (at, why) = match stop {
                    ReadError::TooDeep(at) => (at, "this is nested deeper than 127 levels"),
                    _ => (start, "this is too ambiguous to be parsed"),
                };
                found.unreadable = Some(Unreadable { at, why });
                break;
            }
        }
    }
    found.exclude_retracted(text, fences, context.names);
    found
}

impl Candidates<'_> {
    /// Excludes the candidates that the text after them calls wrong (`[1] is wrong`) or corrects (`[1], I mean [2]`). If the text
    /// presented one as its answer, there is no answer: it may have been reported as final while the text arrived.
    fn exclude_retracted(&mut self, text: &str, fences: &[Fence], names: &Names) {
        for index in 0..self.candidates.len() {
            let end = self.candidates[index].node.span.end;
            let next = self.candidates.get(index + 1);
            let start = next.map_or(text.len(), |next| next.node.span.start);
            let fence =
                Fence::find_containing(fences, start).filter(|fence| fence.outer.start >= end);
            let start = fence.map_or(start, |fence| fence.outer.start);
            let after = text.get(end..start).unwrap_or_default();
            let is_corrected = next.is_some() && is_correction(after);
            if !is_corrected && !is_taken_back(after, names) {
                continue;
            }
            if self.presentations[index] == Presentation::Answer
                && self.candidates[index].is_notation
            {
                let why = "the text after this value retracts it";
                self.unreadable.get_or_insert(Unreadable { at: end, why });
                self.presentations.fill(Presentation::Excluded);
                return;
            }
            self.presentations[index] = Presentation::Excluded;
            if is_corrected {
                self.presentations[index + 1] = Presentation::Answer;
            }
        }
    }

    /// The text between a candidate and the next one, or the end.
    fn text_after<'t>(&self, text: &'t str, index: usize) -> &'t str {
        let next = self.candidates.get(index + 1);
        let end = next.map_or(text.len(), |next| next.node.span.start);
        text.get(self.candidates[index].node.span.end..end)
            .unwrap_or_default()
    }

    pub(crate) fn is_list(&self, index: usize) -> bool {
        matches!(self.candidates[index].node.kind, NodeKind::List(_))
    }

    /// Whether the text offers the candidate at `other` beside the one at `index`, which is before it: `[1] or [2]`, `[1] [2]`, and
    /// if it `fits` the schema or is a second list, `[1] and then [2]` and `A: [1] B: [2]`; if it fits, `[1], final answer: [2]`.
    pub(crate) fn is_alternative(
        &self,
        text: &str,
        index: usize,
        other: usize,
        fits: bool,
    ) -> bool {
        let are_lists = self.is_list(index) && self.is_list(other);
        let joins: &[&str] = if are_lists {
            &["or", "and", "&", "|", "/"]
        } else {
            &["or", "|", "/"]
        };
        let is_offered = match self.presentations[other] {
            Presentation::Example => false,
            Presentation::Excluded => is_citation(&self.candidates[other].node),
            Presentation::Mention | Presentation::Answer => true,
        };
        let between = self.text_after(text, other - 1);
        let mut words =
            window_before(between, MAX_INTRODUCTION).split(|c: char| !c.is_alphanumeric());
        fits && self.presentations[other] == Presentation::Answer
            && words.any(|word| is_one_of(word, &ANSWERS))
            || (index..other).all(|index| is_wordless(self.text_after(text, index)))
            || other == index + 1
                && (is_one_of(between.trim_matches(is_around), joins)
                    || is_offered && (fits || are_lists) && is_brief(between))
    }

    /// Where the text leaves out items of a list, or of a row of candidates: `[1, 2], ...`, `[1, 2] and 3 more`.
    pub(crate) fn leaves_out(&self, text: &str, row: &[usize]) -> Option<usize> {
        let (last, inner) = row.split_last()?;
        let after = self.text_after(text, *last).trim_start();
        let rest = after.strip_prefix(',').unwrap_or_default().trim_start();
        let more = window_after(after, MAX_INTRODUCTION).trim_start_matches(is_around);
        let unsigned = more.trim_start_matches(['+', '&', ' ']);
        let mut words = unsigned.split(|c: char| !c.is_alphanumeric());
        let first = words.next().unwrap_or_default();
        let is_joined = unsigned.len() < more.len() || is_one_of(first, &["and", "plus"]);
        let mut near = std::iter::once(first).chain(words.take(2));
        let is_more = is_one_of(first, &["etc", "usw"])
            || is_joined && near.any(|word| is_one_of(word, &["more", "others"]));
        let is_inner = |index: &&usize| has_ellipsis(self.text_after(text, **index));
        let found = inner
            .iter()
            .find(is_inner)
            .or((is_more || rest.starts_with("...") || rest.starts_with('…')).then_some(last));
        found.map(|index| self.candidates[*index].node.span.end)
    }

    /// The objects that may be the items of one list: several in a row, without examples beside others.
    pub(crate) fn objects_in_row(&self) -> Vec<usize> {
        let objects = |least| {
            let indexes = 0..self.candidates.len();
            let fits = |index: &usize| {
                let candidate = &self.candidates[*index];
                candidate.is_object() && self.presentations[*index] >= least
            };
            indexes.filter(fits).collect::<Vec<_>>()
        };
        let mut row = objects(Presentation::Mention);
        if row.is_empty() {
            row = objects(Presentation::Example);
        }
        if row.len() > 1 { row } else { Vec::new() }
    }
}

/// JSON that was escaped once too often, `{\"a\": 1}`: the content of a string without its quotes. It ends at the last closing
/// bracket.
fn read_escaped_json<'t>(
    text: &'t str,
    start: usize,
    last: Option<usize>,
    context: &ParseContext<'_>,
) -> Option<Candidate<'t>> {
    if !is_escaped_json(text, start) {
        return None;
    }
    let end = last.filter(|&end| end > start)? + 1;
    let (decoded, _) = decode_escapes(&text[start..end], false);
    let node = context.new_node(
        Span::new(start, end),
        End::Sure,
        NodeKind::Quoted(decoded.into()),
    );
    Some(Candidate::new(node, Vec::new()))
}

/// Whether the brackets contain a string whose quotes are escaped.
pub(crate) fn is_escaped_json(text: &str, start: usize) -> bool {
    let mut inside = text[start + 1..].trim_start();
    while let Some(rest) = inside.strip_prefix("\\n") {
        inside = rest;
    }
    inside.trim_start().starts_with("\\\"")
}

/// Reads a value up to the end of its fence. If the value does not end there, the end of the fence may be part of a string.
fn parse_within_fence<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    context: &ParseContext<'_>,
) -> Result<Candidate<'t>, ReadError> {
    let candidate = parse_value(text, start, end, context)?;
    if candidate.node.end == End::Cut
        && end < text.len()
        && let Ok(whole) = parse_value(text, start, text.len(), context)
        && whole.node.end == End::Sure
    {
        return Ok(whole);
    }
    Ok(candidate)
}

/// Whether a bracket opens an object or a list in some notation, complete or not, and not prose or code.
pub(crate) fn is_notation(text: &str, node: &SyntaxNode<'_>, names: &Names) -> bool {
    let is_value = |node: &SyntaxNode<'_>| match &node.kind {
        NodeKind::Unquoted(word) => is_literal(word),
        _ => true,
    };
    match &node.kind {
        NodeKind::Object(entries) => {
            let inside = text[node.span.start + 1..node.span.end].trim_start();
            let sure =
                |entry: &ObjectEntry<'_>| names.contains(&entry.key) || is_value(&entry.value);
            inside.starts_with('"')
                || entries.iter().any(sure)
                || node.end != End::Cut && (names.accept_any || !entries.is_empty())
        }
        NodeKind::List(items) => {
            items.iter().any(is_value)
                || node.end != End::Cut && items.len() > 1 && is_list_of_words(node)
        }
        NodeKind::Unquoted(_) | NodeKind::Quoted(_) => true,
    }
}

/// A list of unquoted words, or an empty container.
fn is_list_of_words(node: &SyntaxNode<'_>) -> bool {
    let is_word = |item: &SyntaxNode<'_>| matches!(&item.kind, NodeKind::Unquoted(word) if !word.contains(char::is_whitespace));
    node.is_empty()
        || matches!(&node.kind, NodeKind::List(items) if !items.is_empty() && items.iter().all(is_word))
}

/// `as noted in [2]`
fn is_citation(node: &SyntaxNode<'_>) -> bool {
    let is_number = |item: &SyntaxNode<'_>| matches!(item.kind, NodeKind::Unquoted(word) if word.parse::<u32>().is_ok());
    matches!(&node.kind, NodeKind::List(items) if items.len() == 1 && is_number(&items[0]))
}

/// `[text](address)`
fn is_link(text: &str, node: &SyntaxNode<'_>) -> bool {
    matches!(node.kind, NodeKind::List(_)) && text[node.span.end..].starts_with('(')
}

/// The repairs for the text around an answer.
pub(crate) fn surrounding_repairs(
    text: &str,
    from: usize,
    span: Span,
    fences: &[Fence],
) -> Vec<SyntaxRepair> {
    let mut repairs = Vec::new();
    if from > 0 {
        repairs.push(SyntaxRepair {
            kind: RepairKind::Thinking,
            span: Span::new(0, from),
        });
    }
    let mut around = [Span::new(from, span.start), Span::new(span.end, text.len())];
    if let Some(fence) = Fence::find_containing(fences, span.start) {
        let opening = Span::new(fence.outer.start, fence.body.start);
        repairs.push(SyntaxRepair {
            kind: RepairKind::Fence,
            span: opening,
        });
        let before = Span::new(fence.body.start, span.start);
        let after = Span::new(span.end, fence.body.end.max(span.end));
        record_prose(text, before, &mut repairs);
        record_prose(text, after, &mut repairs);
        around[0].end = fence.outer.start;
        around[1].start = fence.outer.end.max(span.end);
    }
    for part in around {
        record_prose(text, part, &mut repairs);
    }
    repairs
}

fn record_prose(text: &str, span: Span, repairs: &mut Vec<SyntaxRepair>) {
    let Some(part) = text.get(span.start..span.end) else {
        return;
    };
    let body = part.trim();
    if body.is_empty() {
        return;
    }
    let start = span.start + (part.len() - part.trim_start().len());
    let kind = RepairKind::Prose;
    repairs.push(SyntaxRepair {
        kind,
        span: Span::new(start, start + body.len()),
    });
}
