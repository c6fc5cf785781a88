//! JSON values in the text of an answer: in prose, in a fence, or in a fence that is not closed.
//!
//! The inside of a value is never searched: a wrong answer must not be replaced by a part of it that happens to fit. Only brackets
//! around prose or code are, since these are not notation.

use crate::fence::Fence;
use crate::forms::{is_answer_phrase, strip_answer_ending};
use crate::lookahead::window_after;
use crate::name::Names;
use crate::parser::{Candidate, ParseContext, ReadError};
use crate::reader::parse_value;
use crate::repair::{RepairKind, SyntaxRepair};
use crate::string::decode_escapes;
use crate::syntax::{End, NodeKind, ObjectEntry, SyntaxNode, has_ellipsis};
use crate::unquoted::is_literal;
use prompt_base::Span;

/// The kinds of values that the schema may accept.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub objects: bool,
    pub lists: bool,
}

/// The values of a text.
#[derive(Default)]
pub(crate) struct FoundValues<'t> {
    /// Those of a wanted kind.
    pub values: Vec<Candidate<'t>>,
    /// Those of the other kind.
    pub others: Vec<Candidate<'t>>,
    /// Where the answer is not clear or cannot be parsed, and why.
    pub objection: Option<(Span, &'static str)>,
}

/// The largest number of values. More in a row are not an answer.
const MAX_VALUES: usize = 50_000;

/// The longest text on each side of a value that is inspected, in bytes.
const MAX_SIDE: usize = 200;

pub(crate) fn find_values<'t>(
    text: &'t str,
    from: usize,
    wanted: Wanted,
    fences: &[Fence],
    context: &ParseContext<'_>,
) -> FoundValues<'t> {
    let mut found = FoundValues::default();
    let mut at = from;
    // Whether the text before may turn out to be the beginning of a value that contains those after it.
    let mut is_unsure = begins_with_quote(text, from, fences);
    let last = memchr::memrchr2(b'}', b']', text.as_bytes());
    while let Some(offset) = memchr::memchr2(b'{', b'[', &text.as_bytes()[at..]) {
        let start = at + offset;
        at = start + 1;
        let is_object = text.as_bytes()[start] == b'{';
        // Its end may not have arrived.
        is_unsure |= is_escaped_json(text, start);
        if let Some(candidate) = read_escaped_json(text, start, last, context) {
            at = candidate.node.span.end.max(at);
            found.add_value(candidate, is_object, wanted);
            continue;
        }
        let fence = Fence::find_containing(fences, start);
        let end = fence
            .filter(|fence| fence.closed)
            .map_or(text.len(), |fence| fence.body.end);
        let mut candidate = match parse_within_fence(text, start, end, context) {
            Ok(candidate) => candidate,
            Err(ReadError::NotJson) => {
                is_unsure = true;
                continue;
            }
            Err(stop) => {
                let (at, why) = match stop {
                    ReadError::TooDeep(at) => (at, "this is nested deeper than 127 levels"),
                    _ => (start, "this is too ambiguous to be parsed"),
                };
                found.object_at(text, at, why);
                break;
            }
        };
        let span = candidate.node.span;
        if is_unsure {
            candidate.settled = 0;
        }
        is_unsure |= candidate.node.end != End::Sure
            || !candidate.repairs.is_empty()
            || candidate.loss.is_some();
        if !is_notation(text, &candidate.node, context.names) && !is_list_of_words(&candidate.node)
        {
            continue;
        }
        at = span.end.max(at);
        // A fence may begin on the line of a value.
        let from = fence.map_or(from, |fence| fence.body.start);
        let before = &text[line_start(text, from, start)..start];
        if !is_object && is_in_sentence(before, context.titles) {
            continue;
        }
        let is_wanted = found.add_value(candidate, is_object, wanted);
        let after = window_after(&text[span.end.min(end)..end], MAX_SIDE);
        if is_wanted && !context.is_partial() && !ends_line(after, is_object) {
            found.object_at(
                text,
                span.end,
                "the text after this value continues it or takes it back",
            );
        }
        if found.values.len() + found.others.len() == MAX_VALUES {
            found.object_at(text, start, "there are too many values here");
            break;
        }
    }
    found
}

impl<'t> FoundValues<'t> {
    /// Adds a value, and returns whether its kind is wanted.
    fn add_value(&mut self, candidate: Candidate<'t>, is_object: bool, wanted: Wanted) -> bool {
        let is_wanted = match is_object {
            true => wanted.objects,
            false => wanted.lists,
        };
        match is_wanted {
            true => self.values.push(candidate),
            false => self.others.push(candidate),
        }
        is_wanted
    }

    fn object_at(&mut self, text: &str, at: usize, why: &'static str) {
        let length = text[at..].chars().next().map_or(0, char::len_utf8);
        let span = Span::new(at, at + length);
        self.objection.get_or_insert((span, why));
    }
}

/// Whether the answer, or the content of the fence that begins it, begins with a quote: all of it may be one string.
fn begins_with_quote(text: &str, from: usize, fences: &[Fence]) -> bool {
    let is_first = |fence: &&Fence| text[from..fence.outer.start].trim().is_empty();
    let start = fences
        .first()
        .filter(is_first)
        .map_or(from, |fence| fence.body.start);
    text[start..].trim_start().starts_with('"')
}

/// The start of the line of a position, or a later position near it.
fn line_start(text: &str, from: usize, position: usize) -> usize {
    let mut near = position.saturating_sub(MAX_SIDE).max(from);
    while !text.is_char_boundary(near) {
        near += 1;
    }
    match memchr::memrchr(b'\n', &text.as_bytes()[near..position]) {
        Some(newline) => near + newline + 1,
        None => near,
    }
}

/// Whether brackets after this text are a part of its sentence, as in `see [1]`. A sentence such as `The answer is [1].` gives the
/// answer.
fn is_in_sentence(before: &str, titles: &[String]) -> bool {
    let decoration = |c: char| c.is_whitespace() || "*_`\"'(".contains(c);
    let before = before.trim_end_matches(decoration);
    before.ends_with(char::is_alphanumeric) && !is_answer_phrase(before, titles)
}

/// Whether the line of a value ends after it, or its sentence does and another one begins.
fn ends_line(after: &str, is_object: bool) -> bool {
    let line = after.split('\n').next().unwrap_or_default();
    let line = line
        .trim()
        .trim_start_matches(|c: char| ")]}*_`\"'".contains(c))
        .trim_start();
    let is_ended = |rest: &&str| rest.is_empty() || rest.starts_with(['.', '!']);
    let line = strip_answer_ending(line).filter(is_ended).unwrap_or(line);
    let mut letters = line.chars();
    let Some(first) = letters.next() else {
        return true;
    };
    if !is_object && has_ellipsis(window_after(line, 4)) {
        return false;
    }
    match first {
        ',' | ';' => letters.as_str().trim().is_empty(),
        '.' | '!' | '?' => true,
        letter if letter.is_alphanumeric() => letter.is_uppercase(),
        // `<` begins a closing tag or a control token of the model.
        sign => !":+-–—/&|[({=>…~#%^→@".contains(sign),
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
fn is_escaped_json(text: &str, start: usize) -> bool {
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
fn is_notation(text: &str, node: &SyntaxNode<'_>, names: &Names) -> bool {
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
                || node.is_empty()
        }
        NodeKind::List(items) => items.iter().any(is_value),
        NodeKind::Unquoted(_) | NodeKind::Quoted(_) => true,
    }
}

/// A list of unquoted words, or an empty list.
fn is_list_of_words(node: &SyntaxNode<'_>) -> bool {
    let is_word = |item: &SyntaxNode<'_>| matches!(&item.kind, NodeKind::Unquoted(word) if !word.contains(char::is_whitespace));
    matches!(&node.kind, NodeKind::List(items) if node.end != End::Cut && items.iter().all(is_word))
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
        repairs.push(SyntaxRepair::new(RepairKind::Thinking, Span::new(0, from)));
    }
    let mut around = [Span::new(from, span.start), Span::new(span.end, text.len())];
    if let Some(fence) = Fence::find_containing(fences, span.start) {
        let opening = Span::new(fence.outer.start, fence.body.start);
        repairs.push(SyntaxRepair::new(RepairKind::Fence, opening));
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
    let span = Span::new(start, start + body.len());
    repairs.push(SyntaxRepair::new(RepairKind::Prose, span));
}
