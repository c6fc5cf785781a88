//! Where in a text JSON may stand.
//!
//! Every bracket may begin it, in prose, in a fence, in a fence that is never closed. What was read
//! from one bracket is not looked at again from the inside, as long as it looks like an answer:
//! otherwise an answer that is wrong could be replaced by a part of it that happens to fit.

use prompt_syntax::Span;

use super::escape;
use super::fence::Fence;
use super::loose;
use super::name::Names;
use super::node::{End, Entry, Kind, Node};
use super::read::{self, Desk, Mark, Reading, Stop};
use super::repair::RepairKind;

/// All that was found.
pub(super) struct Found<'t> {
    pub readings: Vec<Reading<'t>>,
    pub unread: Option<Unread>,
}

/// Where reading was given up, and why.
#[derive(Clone, Copy)]
pub(super) struct Unread {
    pub at: usize,
    pub why: &'static str,
}

/// More values than this in a row are no answer.
const MANY: usize = 50_000;

pub(super) fn find<'t>(text: &'t str, from: usize, fences: &[Fence], desk: &Desk<'_>) -> Found<'t> {
    let mut found = Found {
        readings: Vec::new(),
        unread: None,
    };
    let mut at = from;
    let last = memchr::memrchr2(b'}', b']', text.as_bytes());
    while let Some(offset) = memchr::memchr2(b'{', b'[', &text.as_bytes()[at..]) {
        let start = at + offset;
        at = start + 1;
        if let Some(reading) = escaped(text, start, last, desk) {
            at = reading.node.span.end.max(at);
            found.readings.push(reading);
            continue;
        }
        let fence = Fence::around(fences, start).filter(|fence| fence.closed);
        let end = fence.map_or(text.len(), |fence| fence.body.end);
        match read_here(text, start, end, desk) {
            Ok(reading) => {
                if is_answer(&reading.node, desk.names) || desk.names.open && reading.dangling {
                    at = reading.node.span.end.max(at);
                } else if is_link(text, &reading.node) {
                    continue;
                }
                found.readings.push(reading);
                if found.readings.len() == MANY {
                    found.unread = Some(Unread {
                        at: start,
                        why: "there are too many values here",
                    });
                    break;
                }
            }
            Err(Stop::NotJson) => {}
            Err(stop) => {
                let (at, why) = match stop {
                    Stop::TooDeep(at) => (at, "this is nested deeper than 128 levels"),
                    _ => (start, "this is too tangled to be read"),
                };
                found.unread = Some(Unread { at, why });
                break;
            }
        }
    }
    found
}

/// JSON that was escaped once too often, `{\"a\": 1}`: what a string holds, without its quotes. It
/// goes to the last closing bracket.
fn escaped<'t>(
    text: &'t str,
    start: usize,
    last: Option<usize>,
    desk: &Desk<'_>,
) -> Option<Reading<'t>> {
    if !is_escaped(text, start) {
        return None;
    }
    let end = last.filter(|&end| end > start)? + 1;
    let (decoded, _) = escape::decode(&text[start..end], false);
    let node = loose::node(desk, start, end, Kind::Text(decoded.into()));
    Some(Reading {
        node,
        marks: Vec::new(),
        dangling: false,
    })
}

/// Whether brackets hold a string whose quotes are escaped.
pub(super) fn is_escaped(text: &str, start: usize) -> bool {
    let mut inside = text[start + 1..].trim_start();
    while let Some(rest) = inside.strip_prefix("\\n") {
        inside = rest;
    }
    inside.trim_start().starts_with("\\\"")
}

/// Reads up to the end of a fence; but if the value does not end there, the fence's end may have
/// been part of a string in it.
fn read_here<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    desk: &Desk<'_>,
) -> Result<Reading<'t>, Stop> {
    let reading = read::read(text, start, end, desk)?;
    if reading.node.end == End::Cut
        && end < text.len()
        && let Ok(whole) = read::read(text, start, text.len(), desk)
        && whole.node.end == End::Sure
    {
        return Ok(whole);
    }
    Ok(reading)
}

/// Whether a node is an answer, right or wrong, rather than brackets in prose or code: it uses a
/// name of the schema, or is written as JSON is.
pub(super) fn is_answer(node: &Node<'_>, names: &Names) -> bool {
    match &node.kind {
        Kind::Object(entries) => {
            // In a map any key may be known; quotes tell it from prose.
            let known = |entry: &Entry<'_>| names.knows(&entry.key) || names.open && entry.quoted();
            entries.iter().any(known) || node.end != End::Cut && (names.open || !entries.is_empty())
        }
        Kind::List(items) => {
            let sure = |item: &Node<'_>| match &item.kind {
                Kind::Word(word) => word.parse::<f64>().is_ok(),
                Kind::Text(_) => true,
                _ => is_answer(item, names),
            };
            match node.end {
                End::Cut => !items.is_empty() && items.iter().all(sure),
                _ => items.iter().any(sure),
            }
        }
        Kind::Word(_) | Kind::Text(_) => false,
    }
}

/// `[text](address)`
fn is_link(text: &str, node: &Node<'_>) -> bool {
    matches!(node.kind, Kind::List(_)) && text[node.span.end..].starts_with('(')
}

/// What stands around an answer.
pub(super) fn surroundings(text: &str, from: usize, span: Span, fences: &[Fence]) -> Vec<Mark> {
    let mut marks = Vec::new();
    if from > 0 {
        marks.push(Mark {
            kind: RepairKind::Thinking,
            span: Span::new(0, from),
        });
    }
    let mut around = [Span::new(from, span.start), Span::new(span.end, text.len())];
    if let Some(fence) = Fence::around(fences, span.start) {
        let opening = Span::new(fence.outer.start, fence.body.start);
        marks.push(Mark {
            kind: RepairKind::Fence,
            span: opening,
        });
        let before = Span::new(fence.body.start, span.start);
        let after = Span::new(span.end, fence.body.end.max(span.end));
        prose(text, before, &mut marks);
        prose(text, after, &mut marks);
        around[0].end = fence.outer.start;
        around[1].start = fence.outer.end.max(span.end);
    }
    for part in around {
        prose(text, part, &mut marks);
    }
    marks
}

fn prose(text: &str, span: Span, marks: &mut Vec<Mark>) {
    let Some(part) = text.get(span.start..span.end) else {
        return;
    };
    let body = part.trim();
    if body.is_empty() {
        return;
    }
    let start = span.start + (part.len() - part.trim_start().len());
    let kind = RepairKind::Prose;
    marks.push(Mark {
        kind,
        span: Span::new(start, start + body.len()),
    });
}
