use std::fmt;
use std::ops::Range;

use crate::syntax::snippet;

/// The lines around a place, with the place marked.
#[derive(Clone)]
pub(super) struct Drawing {
    /// What is drawn already, with other places that matter.
    done: Option<String>,
    /// The file, where there is one.
    name: Option<String>,
    text: String,
    line: usize,
    /// Of the first character kept, counted from 0.
    column: usize,
    span: Range<usize>,
    label: String,
}

/// How many bytes are kept on each side of a span in a very long line.
const AROUND: usize = 400;

impl Drawing {
    /// A mistake of a template, with the other places that matter.
    #[cfg(feature = "dynamic")]
    pub(super) fn of(source: &snippet::Source<'_>, mistake: &prompt_syntax::Error) -> Drawing {
        let label = mistake.label().unwrap_or_default();
        let done = snippet::draw(source, mistake.span, label, mistake.related());
        Drawing {
            done: Some(done),
            ..Drawing::new(source, mistake.span.start..mistake.span.end, String::new())
        }
    }

    /// A span of a text. Only the lines of the span are kept.
    pub(super) fn new(source: &snippet::Source<'_>, span: Range<usize>, label: String) -> Drawing {
        let text = source.text;
        let span = floor(text, span.start)..floor(text, span.end.max(span.start));
        let line = text[..span.start].matches('\n').count() + source.line;
        let begin = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.end..]
            .find('\n')
            .map_or(text.len(), |at| span.end + at);
        let start = begin.max(floor(text, span.start.saturating_sub(AROUND)));
        let end = end.min(floor(text, span.end.saturating_add(AROUND)));
        let moved = if begin == 0 { source.column } else { 0 };
        let column = moved + text[begin..start].chars().count();
        let kept = span.start - start..span.end - start;
        Drawing {
            done: None,
            name: source.name.map(str::to_owned),
            text: text[start..end].to_owned(),
            line,
            column,
            span: kept,
            label,
        }
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = &self.done {
            return f.write_str(text);
        }
        let source = snippet::Source {
            name: self.name.as_deref(),
            text: &self.text,
            line: self.line,
            column: self.column,
        };
        let span = crate::syntax::Span {
            start: self.span.start,
            end: self.span.end,
        };
        f.write_str(&snippet::draw(&source, span, &self.label, &[]))
    }
}

/// The nearest character border at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
