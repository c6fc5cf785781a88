//! Excerpts of a source text with an underlined span, which `{:#}` of an error prints.

use std::fmt;
use std::ops::Range;

use prompt_base::snippet;

/// A part of a source text with an underlined span.
#[derive(Clone)]
pub(super) enum Drawing {
    /// It was drawn by the caller.
    Done(String),
    /// It is drawn when it is printed.
    Lines(SpanLines),
}

/// The lines of a span.
#[derive(Clone)]
pub(super) struct SpanLines {
    text: String,
    line: usize,
    /// Of the first character kept, counted from 0.
    column: usize,
    span: Range<usize>,
    label: String,
}

/// How many bytes are kept on each side of a span in a very long line: several times the width of a terminal, so that no drawing lacks
/// text, and far less than an answer, which the error would otherwise contain twice.
const AROUND: usize = 400;

impl Drawing {
    /// A span of a source text. Only the lines of the span are kept.
    pub(super) fn new(text: &str, span: Range<usize>, label: String) -> Drawing {
        let span = floor_char_boundary(text, span.start)
            ..floor_char_boundary(text, span.end.max(span.start));
        let line = text[..span.start].matches('\n').count() + 1;
        let begin = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.end..]
            .find('\n')
            .map_or(text.len(), |at| span.end + at);
        let start = begin.max(floor_char_boundary(text, span.start.saturating_sub(AROUND)));
        let end = end.min(floor_char_boundary(text, span.end.saturating_add(AROUND)));
        let column = text[begin..start].chars().count();
        let kept = span.start - start..span.end - start;
        Drawing::Lines(SpanLines {
            text: text[start..end].to_owned(),
            line,
            column,
            span: kept,
            label,
        })
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = match self {
            Drawing::Done(text) => return f.write_str(text),
            Drawing::Lines(lines) => lines,
        };
        let source = snippet::Source {
            name: None,
            text: &lines.text,
            line: lines.line,
            column: lines.column,
        };
        let span = prompt_base::Span {
            start: lines.span.start,
            end: lines.span.end,
        };
        f.write_str(&snippet::draw(&source, span, &lines.label, &[]))
    }
}

/// The nearest character border at or before `at`.
pub(super) fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
