//! An error drawn over its source line.

mod view;

use std::fmt::Write;

use self::view::View;
use crate::Span;

/// A text that errors point into, and its position in a file.
///
/// ```
/// use prompt_base::Span;
/// use prompt_base::snippet;
///
/// let source = snippet::Source { name: Some("ask.prompt"), text: "Use <contxt>.", line: 3, column: 0 };
/// let drawn = snippet::draw(&source, Span::new(5, 11), "no such field", &[]);
/// let lines: Vec<&str> = drawn.lines().collect();
/// assert_eq!(lines[0], " --> ask.prompt:3:6");
/// assert_eq!(lines[2], "3 | Use <contxt>.");
/// assert_eq!(lines[3], "  |      ^^^^^^ no such field");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file's name; without it the drawing contains the line and column only.
    pub name: Option<&'a str>,
    /// The text.
    pub text: &'a str,
    /// The number of its first line, counted from 1.
    pub line: usize,
    /// The column of its first character, counted from 0: a literal may begin in the middle of a line.
    pub column: usize,
}

/// Draws the position, its line and carets under the text, with a label beside them; related positions get carets with their own
/// labels. A span of several lines is marked on its first and on its last one. Spans outside of the text are moved into
/// it, and a long line is shown in part.
///
/// ```
/// use prompt_base::Span;
/// use prompt_base::snippet;
///
/// let source = snippet::Source { name: None, text: "<if a>\n\n问题</for>", line: 1, column: 0 };
/// let related = [(Span::new(0, 6), "this block is open".to_owned())];
/// let drawn = snippet::draw(&source, Span::new(14, 20), "no such block", &related);
/// assert_eq!(drawn.lines().collect::<Vec<_>>(), [
///     " --> 3:3",
///     "  |",
///     "1 | <if a>",
///     "  | ------ this block is open",
///     "  | ...",
///     "3 | 问题</for>",
///     "  |     ^^^^^^ no such block",
/// ]);
/// ```
pub fn draw(source: &Source<'_>, span: Span, label: &str, related: &[(Span, String)]) -> String {
    let mut marks = source.label_span(span, '^', label);
    let line = marks[0].line;
    let before = &source.text[line.start..marks[0].start];
    let column = source
        .columns_before(line)
        .saturating_add(before.chars().count());
    for (span, label) in related {
        marks.extend(source.label_span(*span, '-', label));
    }
    marks.sort_by_key(SnippetLabel::position);
    let last = marks.last().map_or(line.index, |mark| mark.line.index);
    let gutter = source.line_number(last).to_string().len();

    let mut out = format!("{:gutter$}--> ", "");
    if let Some(name) = source.name {
        let _ = write!(out, "{name}:");
    }
    let column = column.saturating_add(1);
    let _ = write!(
        out,
        "{}:{column}\n{:gutter$} |",
        source.line_number(line.index),
        ""
    );
    let mut before: Option<usize> = None;
    for marks in marks.chunk_by(|a, b| a.line.start == b.line.start) {
        let line = marks[0].line;
        if before.is_some_and(|before| before + 1 < line.index) {
            let _ = write!(out, "\n{:gutter$} | ...", "");
        }
        before = Some(line.index);
        let view = source.line_view(line, marks);
        let _ = write!(out, "\n{:gutter$} |", source.line_number(line.index));
        if !view.text.is_empty() {
            let _ = write!(out, " {}", view.text);
        }
        for mark in marks {
            let _ = write!(out, "\n{:gutter$} | {}", "", mark.draw_under(&view));
        }
    }
    out
}

/// A line of the text, without its line break.
#[derive(Clone, Copy)]
struct SourceLine {
    /// The number of lines before it.
    index: usize,
    start: usize,
    end: usize,
}

/// Signs under a part of one line.
struct SnippetLabel<'a> {
    line: SourceLine,
    start: usize,
    end: usize,
    sign: char,
    label: &'a str,
}

impl SnippetLabel<'_> {
    fn position(&self) -> (usize, usize, usize) {
        (self.line.start, self.start, self.end)
    }

    fn draw_under(&self, view: &View) -> String {
        let from = view.column_of(self.start - self.line.start);
        let to = view.column_of(self.end - self.line.start).max(from + 1);
        let mut row = " ".repeat(from);
        row.extend(std::iter::repeat_n(self.sign, to - from));
        row.push(' ');
        row.push_str(self.label);
        row.truncate(row.trim_end().len());
        row
    }
}

impl<'a> Source<'a> {
    /// The carets of a span: on its line, or on its first and on its last line.
    fn label_span<'l>(&self, span: Span, sign: char, label: &'l str) -> Vec<SnippetLabel<'l>> {
        let start = floor_char_boundary(self.text, span.start);
        let end = floor_char_boundary(self.text, span.end).max(start);
        // The line break at the end of a span is not a line of its own.
        let words = &self.text[start..end];
        let end = start + words.trim_end_matches(['\n', '\r']).len();
        let first = self.line_at(start);
        let last = self.line_at(end);
        let mark = |line: SourceLine, start: usize, end: usize, label| SnippetLabel {
            line,
            start: start.min(line.end),
            end: end.min(line.end),
            sign,
            label,
        };
        if first.start == last.start {
            return vec![mark(first, start, end, label)];
        }
        let words = &self.text[last.start..end];
        let indent = words.len() - words.trim_start().len();
        vec![
            mark(first, start, first.end, ""),
            mark(last, last.start + indent, end, label),
        ]
    }

    fn line_at(&self, at: usize) -> SourceLine {
        let before = &self.text[..at];
        let start = before.rfind('\n').map_or(0, |line| line + 1);
        let rest = &self.text[start..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        SourceLine {
            index: before.matches('\n').count(),
            start,
            end: start + line.strip_suffix('\r').unwrap_or(line).len(),
        }
    }

    fn line_number(&self, index: usize) -> usize {
        self.line.saturating_add(index)
    }

    /// The number of columns before the line in its file.
    fn columns_before(&self, line: SourceLine) -> usize {
        if line.start == 0 { self.column } else { 0 }
    }

    /// The visible part of the line, which contains its carets.
    fn line_view(&self, line: SourceLine, marks: &[SnippetLabel<'_>]) -> View {
        let focus = marks
            .iter()
            .find(|mark| mark.sign == '^')
            .unwrap_or(&marks[0]);
        let focus = focus.start - line.start..focus.end - line.start;
        View::new(
            &self.text[line.start..line.end],
            self.columns_before(line),
            focus,
        )
    }
}

/// The nearest character boundary at or before an index.
fn floor_char_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

#[cfg(test)]
mod tests;
