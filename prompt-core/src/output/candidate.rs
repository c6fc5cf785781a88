//! Where in a text JSON may stand.
//!
//! Every bracket may begin it, in prose, in a fence, in a fence that is never closed. What was read
//! from one bracket is not looked at again from the inside, as long as it looks like an answer:
//! otherwise an answer that is wrong could be replaced by a part of it that happens to fit.

use crate::syntax::Span;

use super::fence::Fence;
use super::name::Names;
use super::node::{End, Kind, Node};
use super::read::{self, Desk, Mark, Reading, Stop};
use super::repair::RepairKind;

/// All that was found.
pub(super) struct Found<'t> {
    pub readings: Vec<Reading<'t>>,
    /// Where something was nested too deep to be read.
    pub too_deep: Option<usize>,
}

pub(super) fn find<'t>(text: &'t str, from: usize, fences: &[Fence], desk: &Desk<'_>) -> Found<'t> {
    let mut found = Found { readings: Vec::new(), too_deep: None };
    let mut at = from;
    while let Some(offset) = text[at..].find(['{', '[']) {
        let start = at + offset;
        at = start + 1;
        let fence = fences.iter().find(|fence| (fence.body.start..fence.body.end).contains(&start));
        let end = fence.filter(|fence| fence.closed).map_or(text.len(), |fence| fence.body.end);
        match read_here(text, start, end, desk) {
            Ok(reading) => {
                if is_answer(&reading.node, desk.names) {
                    at = reading.node.span.end.max(at);
                } else if is_link(text, &reading.node) {
                    continue;
                }
                found.readings.push(reading);
            }
            Err(Stop::NotJson) => {}
            Err(Stop::TooDeep(place)) => {
                found.too_deep = Some(place);
                break;
            }
            Err(Stop::Spent) => break,
        }
    }
    found
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
fn is_answer(node: &Node<'_>, names: &Names) -> bool {
    match &node.kind {
        Kind::Object(entries) => {
            let known = entries.iter().any(|entry| names.knows(&entry.key));
            known || node.end != End::Cut && (names.open || !entries.is_empty())
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
        marks.push(Mark { kind: RepairKind::Thinking, span: Span { start: 0, end: from } });
    }
    let mut around = [Span { start: from, end: span.start }, Span { start: span.end, end: text.len() }];
    let fence = fences.iter().find(|f| f.body.start <= span.start && span.start < f.body.end);
    if let Some(fence) = fence {
        let opening = Span { start: fence.outer.start, end: fence.body.start };
        marks.push(Mark { kind: RepairKind::Fence, span: opening });
        let before = Span { start: fence.body.start, end: span.start };
        let after = Span { start: span.end, end: fence.body.end.max(span.end) };
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
    let Some(part) = text.get(span.start..span.end) else { return };
    let body = part.trim();
    if body.is_empty() {
        return;
    }
    let start = span.start + (part.len() - part.trim_start().len());
    let kind = RepairKind::Prose;
    marks.push(Mark { kind, span: Span { start, end: start + body.len() } });
}
