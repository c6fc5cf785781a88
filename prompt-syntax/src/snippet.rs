//! An error drawn over its source line.

use std::fmt::Write;

use crate::Span;

/// A text that errors point into, and where it stands.
///
/// ```
/// use prompt_syntax::{Span, snippet};
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
    /// The file's name; without it the drawing says the line and column alone.
    pub name: Option<&'a str>,
    /// The text.
    pub text: &'a str,
    /// The number of its first line, counted from 1.
    pub line: usize,
    /// The column of its first character, counted from 0: a literal may begin in the middle of a line.
    pub column: usize,
}

/// A line longer than this is shown in part.
const WIDTH: usize = 140;

/// Draws the place, its line and a mark under the words, with a label beside it; other places get marks with their own
/// labels. Spans outside of the text are moved into it.
pub fn draw(source: &Source<'_>, span: Span, label: &str, related: &[(Span, String)]) -> String {
    let place = source.locate(span);
    let mut marks = vec![Mark {
        place,
        sign: '^',
        label,
    }];
    for (span, label) in related {
        marks.push(Mark {
            place: source.locate(*span),
            sign: '-',
            label,
        });
    }
    marks.sort_by_key(|mark| (mark.place.line, mark.place.start));
    let last = marks
        .iter()
        .map(|mark| mark.place.line.max(mark.place.last))
        .max()
        .unwrap_or(1);
    let gutter = last.to_string().len();

    let mut out = format!("{:gutter$}--> ", "");
    if let Some(name) = source.name {
        let _ = write!(out, "{name}:");
    }
    let _ = write!(out, "{}:{}\n{:gutter$} |", place.line, place.column + 1, "");
    let mut shown = 0;
    for mark in &marks {
        if mark.place.line != shown {
            if shown != 0 && mark.place.line > shown + 1 {
                let _ = write!(out, "\n...");
            }
            shown = mark.place.line;
            let _ = write!(out, "\n{shown:gutter$} | {}", mark.place.shown(source).line);
        }
        let _ = write!(
            out,
            "\n{:gutter$} | {}",
            "",
            mark.place.shown(source).under(mark)
        );
    }
    out
}

struct Mark<'a> {
    place: Place,
    sign: char,
    label: &'a str,
}

/// A span, found on its first line.
#[derive(Clone, Copy)]
struct Place {
    /// The number of the line.
    line: usize,
    /// The number of the line on which the span ends.
    last: usize,
    /// The column of the first character, counted from 0.
    column: usize,
    /// The line in the text.
    bytes: Span,
    /// Whether the text begins on this line, so that its column offset counts.
    first: bool,
    start: usize,
    end: usize,
}

impl Source<'_> {
    fn locate(&self, span: Span) -> Place {
        let start = floor(self.text, span.start);
        let end = floor(self.text, span.end).max(start);
        let before = &self.text[..start];
        let lines = before.bytes().filter(|byte| *byte == b'\n').count();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[start..]
            .find('\n')
            .map_or(self.text.len(), |at| start + at);
        let line_end = line_end - usize::from(self.text[line_start..line_end].ends_with('\r'));
        let offset = if lines == 0 { self.column } else { 0 };
        let further = self.text[start..end]
            .trim_end_matches('\n')
            .matches('\n')
            .count();
        Place {
            line: self.line + lines,
            last: self.line + lines + further,
            column: offset + self.text[line_start..start].chars().count(),
            bytes: Span::new(line_start, line_end.max(line_start)),
            first: lines == 0,
            start: start.min(line_end),
            end: end.min(line_end),
        }
    }
}

/// A line as it is printed.
struct Shown {
    line: String,
    /// Columns before the mark.
    before: usize,
    /// Columns under the mark.
    width: usize,
}

impl Place {
    fn shown(self, source: &Source<'_>) -> Shown {
        let offset = if self.first { source.column } else { 0 };
        let before = printed(&source.text[self.bytes.start..self.start]);
        let marked = printed(&source.text[self.start..self.end]);
        let after = printed(&source.text[self.end..self.bytes.end]);
        let (mut head, mut tail) = (" ".repeat(offset) + &before, after);
        let marked: String = marked.chars().take(WIDTH).collect();
        if columns(&head) + columns(&marked) + columns(&tail) > WIDTH {
            let room = WIDTH.saturating_sub(columns(&marked)) / 2;
            head = last_columns(&head, room);
            tail = first_columns(&tail, room);
        }
        let width = columns(&marked).max(1);
        let before = columns(&head);
        Shown {
            line: (head + &marked + &tail).trim_end().to_owned(),
            before,
            width,
        }
    }
}

impl Shown {
    fn under(&self, mark: &Mark<'_>) -> String {
        let signs: String = std::iter::repeat_n(mark.sign, self.width).collect();
        let further = if mark.place.last > mark.place.line {
            "..."
        } else {
            ""
        };
        format!(
            "{:before$}{signs}{further} {}",
            "",
            mark.label,
            before = self.before
        )
        .trim_end()
        .to_owned()
    }
}

/// The nearest character boundary at or before an index.
fn floor(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

/// Tabs as spaces and control characters as pictures, so that marks stay under their words.
fn printed(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            '\0'..='\x1f' => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('?')),
            '\x7f' => out.push('\u{2421}'),
            // Marks of direction would turn the drawing around.
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push('\u{fffd}');
            }
            c => out.push(c),
        }
    }
    out
}

fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// The columns of a character on a terminal, after the wide and the combining blocks of Unicode's East Asian Width.
fn width(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

fn first_columns(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let mut left = room;
    let cut: String = text.chars().take_while(|c| take(&mut left, *c)).collect();
    cut + "…"
}

fn last_columns(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let mut left = room;
    let cut: Vec<char> = text
        .chars()
        .rev()
        .take_while(|c| take(&mut left, *c))
        .collect();
    "…".chars().chain(cut.into_iter().rev()).collect()
}

fn take(left: &mut usize, c: char) -> bool {
    let fits = width(c) <= *left;
    *left = left.saturating_sub(width(c));
    fits
}
