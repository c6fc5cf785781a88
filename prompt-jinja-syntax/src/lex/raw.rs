//! `{% raw %}…{% endraw %}`: verbatim text.

use super::WhitespaceControl;
use super::blank::blank_len;
use super::tag::TagEnd;

/// The start of the text of a `raw` block whose tag begins here, or `None` for another tag.
pub(super) fn raw_body_start(text: &str, inside: usize) -> Option<usize> {
    let at = after_word(text, inside, "raw")?;
    let rest = &text[at..];
    if rest.starts_with("%}") {
        return Some(at + 2);
    }
    let after = at + "-%}".len();
    rest.starts_with("-%}")
        .then(|| after + blank_len(&text[after..]))
}

/// The end of a `raw`.
pub(super) struct RawEnd {
    /// Where its tag begins.
    pub(super) start: usize,
    pub(super) mark: WhitespaceControl,
    /// After the tag and what that takes.
    pub(super) next: usize,
}

/// Finds the end of the `raw` whose text begins here.
pub(super) fn find_raw_end(text: &str, body: usize, trim: bool) -> Option<RawEnd> {
    text[body..]
        .match_indices("{%")
        .find_map(|(at, _)| end_at(text, body + at, trim))
}

fn end_at(text: &str, start: usize, trim: bool) -> Option<RawEnd> {
    let mark = match text.as_bytes().get(start + 2) {
        Some(b'-') => WhitespaceControl::Strip,
        Some(b'+') => WhitespaceControl::Keep,
        _ => WhitespaceControl::None,
    };
    let inside = start + 2 + usize::from(mark != WhitespaceControl::None);
    let close = after_word(text, inside, "endraw")?;
    let next = TagEnd::Statement.at(text, close, trim)?.next;
    Some(RawEnd { start, mark, next })
}

/// The position after this word and the white space on both sides of it.
fn after_word(text: &str, at: usize, word: &str) -> Option<usize> {
    let at = at + blank_len(&text[at..]);
    let after = at + text[at..].strip_prefix(word).map(|_| word.len())?;
    Some(after + blank_len(&text[after..]))
}
