//! The candidates for the answer: every bracket in a text may begin one, in prose, in a fence, or in a fence that is not closed.
//!
//! The inside of a candidate is not searched again if it is plausible as an answer. Otherwise a wrong answer could be replaced
//! by a part of it that happens to fit.

use crate::name::Names;
use crate::reader::{
    Candidate, Context, End, Entry, Kind, Node, ReadError, SyntaxRepair, parse_value,
};
use crate::repair::RepairKind;
use crate::string::decode_escapes;
use crate::unbracketed::new_node;
use prompt_syntax::Span;

/// All candidates of a text.
pub(crate) struct Candidates<'t> {
    pub candidates: Vec<Candidate<'t>>,
    pub unreadable: Option<Unreadable>,
}

/// Where parsing was abandoned, and why.
#[derive(Clone, Copy)]
pub(crate) struct Unreadable {
    pub at: usize,
    pub why: &'static str,
}

/// The largest number of candidates. More values in a row are no answer.
const MANY: usize = 50_000;

pub(crate) fn find_candidates<'t>(
    text: &'t str,
    from: usize,
    fences: &[Fence],
    context: &Context<'_>,
) -> Candidates<'t> {
    let mut found = Candidates {
        candidates: Vec::new(),
        unreadable: None,
    };
    let mut at = from;
    let last = memchr::memrchr2(b'}', b']', text.as_bytes());
    while let Some(offset) = memchr::memchr2(b'{', b'[', &text.as_bytes()[at..]) {
        let start = at + offset;
        at = start + 1;
        if let Some(candidate) = escaped(text, start, last, context) {
            at = candidate.node.span.end.max(at);
            found.candidates.push(candidate);
            continue;
        }
        let fence = Fence::around(fences, start).filter(|fence| fence.closed);
        let end = fence.map_or(text.len(), |fence| fence.body.end);
        match read_here(text, start, end, context) {
            Ok(candidate) => {
                if is_answer(&candidate.node, context.names)
                    || context.names.open && candidate.dangling
                {
                    at = candidate.node.span.end.max(at);
                } else if is_link(text, &candidate.node) {
                    continue;
                }
                found.candidates.push(candidate);
                if found.candidates.len() == MANY {
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
                    _ => (start, "this is too tangled to be read"),
                };
                found.unreadable = Some(Unreadable { at, why });
                break;
            }
        }
    }
    found
}

/// JSON that was escaped once too often, `{\"a\": 1}`: the content of a string without its quotes. It ends at the last closing
/// bracket.
fn escaped<'t>(
    text: &'t str,
    start: usize,
    last: Option<usize>,
    context: &Context<'_>,
) -> Option<Candidate<'t>> {
    if !is_escaped(text, start) {
        return None;
    }
    let end = last.filter(|&end| end > start)? + 1;
    let (decoded, _) = decode_escapes(&text[start..end], false);
    let node = new_node(context, start, end, Kind::Quoted(decoded.into()));
    Some(Candidate {
        node,
        repairs: Vec::new(),
        dangling: false,
    })
}

/// Whether the brackets contain a string whose quotes are escaped.
pub(crate) fn is_escaped(text: &str, start: usize) -> bool {
    let mut inside = text[start + 1..].trim_start();
    while let Some(rest) = inside.strip_prefix("\\n") {
        inside = rest;
    }
    inside.trim_start().starts_with("\\\"")
}

/// Reads a value up to the end of its fence. If the value does not end there, the end of the fence may be part of a string.
fn read_here<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    context: &Context<'_>,
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

/// Whether a node is plausible as an answer, right or wrong, and not brackets in prose or code: it contains a field name of the
/// schema, or is written as JSON.
pub(crate) fn is_answer(node: &Node<'_>, names: &Names) -> bool {
    match &node.kind {
        Kind::Object(entries) => {
            // In a map any key is possible; quotes distinguish it from prose.
            let known = |entry: &Entry<'_>| names.knows(&entry.key) || names.open && entry.quoted();
            entries.iter().any(known) || node.end != End::Cut && (names.open || !entries.is_empty())
        }
        Kind::List(items) => {
            let sure = |item: &Node<'_>| match &item.kind {
                Kind::Unquoted(word) => word.parse::<f64>().is_ok(),
                Kind::Quoted(_) => true,
                _ => is_answer(item, names),
            };
            match node.end {
                End::Cut => !items.is_empty() && items.iter().all(sure),
                _ => items.iter().any(sure),
            }
        }
        Kind::Unquoted(_) | Kind::Quoted(_) => false,
    }
}

/// `[text](address)`
fn is_link(text: &str, node: &Node<'_>) -> bool {
    matches!(node.kind, Kind::List(_)) && text[node.span.end..].starts_with('(')
}

/// The repairs for the text around an answer.
pub(crate) fn surroundings(
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
    if let Some(fence) = Fence::around(fences, span.start) {
        let opening = Span::new(fence.outer.start, fence.body.start);
        repairs.push(SyntaxRepair {
            kind: RepairKind::Fence,
            span: opening,
        });
        let before = Span::new(fence.body.start, span.start);
        let after = Span::new(span.end, fence.body.end.max(span.end));
        prose(text, before, &mut repairs);
        prose(text, after, &mut repairs);
        around[0].end = fence.outer.start;
        around[1].start = fence.outer.end.max(span.end);
    }
    for part in around {
        prose(text, part, &mut repairs);
    }
    repairs
}

fn prose(text: &str, span: Span, repairs: &mut Vec<SyntaxRepair>) {
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

/// A Markdown fence in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fence {
    /// From the opening line to the end of the closing line.
    pub outer: Span,
    pub body: Span,
    pub closed: bool,
}

impl Fence {
    /// The fence whose body contains a position. The fences are in order.
    pub(crate) fn around(fences: &[Fence], place: usize) -> Option<&Fence> {
        let next = fences.partition_point(|fence| fence.body.end <= place);
        fences.get(next).filter(|fence| fence.body.start <= place)
    }
}

/// Returns the fences of a text after a position. Opening and closing lines may be indented; a closing line contains nothing else.
pub(crate) fn find_fences(text: &str, from: usize) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut open: Option<(usize, usize, char, usize)> = None;
    let bytes = text.as_bytes();
    let mut next = from;
    // Only lines with a fence character.
    while let Some(offset) = memchr::memchr2(b'`', b'~', &bytes[next..]) {
        let at = next + offset;
        let start = memchr::memrchr(b'\n', &bytes[next..at]).map_or(next, |end| next + end + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end + 1);
        let line = &text[start..end];
        next = end;
        let indent = line.len() - line.trim_start().len();
        let trimmed = line.trim();
        let mark = trimmed
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))
            .unwrap_or(' ');
        let length = trimmed.chars().take_while(|&letter| letter == mark).count();
        match open {
            Some((outer, body, opening, count))
                if mark == opening && length >= count && length == trimmed.len() =>
            {
                let outer = Span::new(outer, end);
                fences.push(Fence {
                    outer,
                    body: Span::new(body, start),
                    closed: true,
                });
                open = None;
            }
            None if mark != ' ' && length >= 3 && !trimmed[length..].contains('`') => {
                let fence = start + indent;
                let info = &text[fence + length..end];
                // The answer may begin on the opening line: "```json {".
                let body = info.find(['{', '[']).map_or(end, |at| fence + length + at);
                open = Some((fence, body, mark, length));
            }
            _ => {}
        }
    }
    if let Some((outer, body, ..)) = open {
        let end = text.len();
        let outer = Span::new(outer, end);
        fences.push(Fence {
            outer,
            body: Span::new(body.min(end), end),
            closed: false,
        });
    }
    fences
}

#[cfg(test)]
mod fence_tests {
    use super::*;

    #[test]
    fn fences() {
        let bodies = |text: &str| -> Vec<(String, bool)> {
            let fences = find_fences(text, 0);
            fences
                .iter()
                .map(|f| (text[f.body.start..f.body.end].to_owned(), f.closed))
                .collect()
        };
        let one = |body: &str, closed| vec![(body.to_owned(), closed)];
        assert_eq!(bodies("a\n```json\n{}\n```\nb"), one("{}\n", true));
        assert_eq!(bodies("  ~~~\nx\n  ~~~"), one("x\n", true));
        assert_eq!(
            bodies("```json {\"a\":\n1}\n```"),
            one("{\"a\":\n1}\n", true)
        );
        assert_eq!(bodies("```\nnever closed"), one("never closed", false));
        assert_eq!(
            bodies("```\n{\"code\": \"```\",\n1}\n```"),
            one("{\"code\": \"```\",\n1}\n", true)
        );
        assert_eq!(bodies("`inline` and ```x``` too").len(), 0);
        assert_eq!(bodies("```\na\n```\n\n```\nb\n```").len(), 2);
    }
}
