//! A raw answer: where it begins, after all thinking.

use prompt_syntax::Span;

use super::parsed::Parsed;
use super::read::Desk;
use super::refusal::Refusal;
use super::select::Selection;
use super::shape::Shapes;
use super::think::{self, Start};
use super::{candidate, describe, fence};

pub(super) fn whole(shapes: &Shapes, answer: &str) -> Result<Parsed, Refusal> {
    if answer.trim_start().is_empty() {
        return Err(nothing(shapes, answer, 0, "the answer is empty"));
    }
    select(shapes, answer, false)
}

pub(super) fn partial(shapes: &Shapes, answer: &str) -> Option<Parsed> {
    select(shapes, answer, true).ok()
}

fn select(shapes: &Shapes, answer: &str, partial: bool) -> Result<Parsed, Refusal> {
    let start = match think::answer(answer) {
        Start::At(start) => start,
        Start::Perhaps(start) if !shapes.is_text() && is_inside(shapes, answer, start) => 0,
        Start::Perhaps(start) => start,
        Start::Never => return Err(nothing(shapes, answer, 0, "the thinking never ends")),
    };
    if answer[start..].trim_start().is_empty() {
        return Err(nothing(
            shapes,
            answer,
            start,
            "nothing comes after the thinking",
        ));
    }
    let desk = Desk::new(&shapes.names, answer.len(), !partial);
    Selection::new(shapes, &desk, answer, start, partial).run()
}

pub(super) fn json_string(shapes: &Shapes, answer: &str) -> Option<String> {
    let start = match think::answer(answer) {
        Start::At(start) => start,
        Start::Perhaps(_) => 0,
        Start::Never => return None,
    };
    let body = match fence::find(answer, start).as_slice() {
        [fence] => &answer[fence.body.start..fence.body.end],
        _ => &answer[start..],
    };
    let string = shapes.is_text().then(|| body.trim())?;
    serde_json::from_str(string).ok()
}

/// Whether a place is in the middle of what looks like an answer.
fn is_inside(shapes: &Shapes, answer: &str, at: usize) -> bool {
    let desk = Desk::new(&shapes.names, answer.len(), true);
    let found = candidate::find(answer, 0, &fence::find(answer, 0), &desk);
    found.readings.iter().any(|reading| {
        let Span { start, end } = reading.node.span;
        start < at && at < end && candidate::is_answer(&reading.node, &shapes.names)
    })
}

fn nothing(shapes: &Shapes, answer: &str, from: usize, message: &str) -> Refusal {
    let span = Span::new(from, answer.len());
    Refusal::at(
        answer,
        span,
        message.to_owned(),
        describe::expected(shapes, shapes.root()),
    )
}
