//! A line as it is printed, and the columns of its bytes.

use std::ops::Range;

use super::floor_char_boundary;
use crate::unicode;

/// A longer line is shown in part.
const WIDTH: usize = 160;

/// More columns than this before the text are not worth showing.
const OFFSET: usize = 1000;

pub(super) struct View {
    /// The printed line, without trailing white space.
    pub(super) text: String,
    /// The bytes of the line that are printed, each with its column.
    columns: Vec<(usize, usize)>,
    /// The columns of the whole.
    width: usize,
}

impl View {
    /// Shows a line, or the part of it around the focus.
    pub(super) fn new(line: &str, offset: usize, focus: Range<usize>) -> View {
        let offset = offset.min(OFFSET);
        // Text that is further away than this is not shown, however narrow it is.
        let near = 16 * WIDTH;
        let least = floor_char_boundary(line, focus.start.saturating_sub(near));
        let most = floor_char_boundary(line, focus.start.saturating_add(near));
        let (before, behind) = (&line[least..focus.start], &line[focus.start..most]);
        let from = focus.start - bytes_to_show(before.chars().rev());
        let to = focus.start + bytes_to_show(behind.chars());
        let cells: Vec<(usize, char)> = line[from..to]
            .char_indices()
            .map(|(at, c)| (from + at, c))
            .collect();
        let columns =
            |cells: &[(usize, char)]| cells.iter().map(|(_, c)| printed_width(*c)).sum::<usize>();
        let split = |at: usize| cells.partition_point(|(cell, _)| *cell < at);
        let start = offset + columns(&cells[..split(focus.start)]);
        let marked = columns(&cells[split(focus.start)..split(focus.end)]);
        let whole = from == 0 && to == line.len() && offset + columns(&cells) <= WIDTH;
        let shown = if whole {
            0..WIDTH
        } else {
            let first = start.saturating_sub((WIDTH - marked.clamp(1, WIDTH)) / 2);
            first..first + WIDTH
        };
        let mut view = View {
            text: String::new(),
            columns: Vec::new(),
            width: 0,
        };
        if shown.start > 0 || from > 0 {
            view.push_char('…');
        }
        for _ in shown.start.min(offset)..offset.min(shown.end) {
            view.push_char(' ');
        }
        let mut column = offset;
        for (at, c) in cells {
            let end = column + printed_width(c);
            if column >= shown.start && end <= shown.end {
                view.columns.push((at, view.width));
                view.push_char(c);
            }
            column = end;
        }
        if column > shown.end || to < line.len() {
            view.text.push('…');
        }
        view.text.truncate(view.text.trim_end().len());
        view
    }

    fn push_char(&mut self, c: char) {
        self.width += printed_width(c);
        match c {
            '\t' => self.text.push_str(TAB),
            c => self.text.push(printed_char(c)),
        }
    }

    /// The column of a byte of the line; that of the nearest one shown if it is not.
    pub(super) fn column_of(&self, at: usize) -> usize {
        let index = self.columns.partition_point(|(byte, _)| *byte < at);
        self.columns
            .get(index)
            .map_or(self.width, |(_, column)| *column)
    }
}

const TAB: &str = "    ";

/// The printed form of a character: control characters are shown by their pictures, and marks of direction, which would
/// turn the drawing around, by a sign.
fn printed_char(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('?'),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => '\u{fffd}',
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' => '\u{fffd}',
        c => c,
    }
}

/// How many bytes of characters fill more columns than are shown, or all of them.
fn bytes_to_show(chars: impl Iterator<Item = char>) -> usize {
    let (mut bytes, mut columns) = (0, 0);
    for c in chars {
        bytes += c.len_utf8();
        columns += printed_width(c);
        if columns > WIDTH {
            break;
        }
    }
    bytes
}

fn printed_width(c: char) -> usize {
    match c {
        '\t' => TAB.len(),
        c => unicode::char_width(printed_char(c)),
    }
}
