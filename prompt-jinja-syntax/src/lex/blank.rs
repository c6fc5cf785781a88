//! White space and line breaks, as Python has them.

use std::borrow::Cow;

/// White space as Python's `str.isspace` has it.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// The length of the white space at the beginning.
pub(super) fn blank_len(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_space).len()
}

/// The length of the line break at the beginning.
pub(super) fn line_break(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

pub(super) fn without_last_break(text: &str) -> &str {
    let less = text
        .strip_suffix('\n')
        .map(|less| less.strip_suffix('\r').unwrap_or(less));
    less.or(text.strip_suffix('\r')).unwrap_or(text)
}

/// The text with every line break as `\n`.
pub(crate) fn normalize_breaks(text: &str) -> Cow<'_, str> {
    match text.contains('\r') {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(text),
    }
}
