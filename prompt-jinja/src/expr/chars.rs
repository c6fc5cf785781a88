//! Characters as Python's `str` sorts them.

pub(crate) use prompt_core::python::{is_whitespace as is_space, lines};

/// A letter, a digit or `_`. Combining marks count; Python's `\w` does not contain them.
pub(crate) fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

pub(crate) fn trim_whitespace(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// A letter that is written as the first of a word only, such as `ǅ`.
pub(crate) fn is_title(char: char) -> bool {
    matches!(char, '\u{1c5}' | '\u{1c8}' | '\u{1cb}' | '\u{1f2}' | '\u{1f88}'..='\u{1f8f}'
        | '\u{1f98}'..='\u{1f9f}' | '\u{1fa8}'..='\u{1faf}' | '\u{1fbc}' | '\u{1fcc}' | '\u{1ffc}')
}

/// Whether it has a capital and a small form.
pub(crate) fn is_cased(char: char) -> bool {
    char.is_lowercase() || char.is_uppercase() || is_title(char)
}

/// As the first letter of a word: `ǆ` becomes `ǅ`, and `ß` becomes `Ss`.
pub(crate) fn push_title(out: &mut String, char: char) {
    let code = u32::from(char);
    let title = match code {
        0x1c4..=0x1c6 => Some(0x1c5),
        0x1c7..=0x1c9 => Some(0x1c8),
        0x1ca..=0x1cc => Some(0x1cb),
        0x1f1..=0x1f3 => Some(0x1f2),
        0x1f80..=0x1faf => Some(code | 8),
        0x1fb3 | 0x1fc3 | 0x1ff3 => Some(code + 9),
        // Georgian has capitals, but no word begins with one.
        0x10d0..=0x10fa | 0x10fd..=0x10ff => Some(code),
        _ if is_title(char) => Some(code),
        _ => None,
    };
    if let Some(title) = title.and_then(char::from_u32) {
        return out.push(title);
    }
    let mut upper = char.to_uppercase();
    out.extend(upper.next());
    // Several letters replace one: only the first is a capital.
    for letter in upper {
        out.extend(letter.to_lowercase());
    }
}

/// The first character as in a title, all others small: `str.capitalize`.
pub(crate) fn capitalize_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    if let Some(first) = text.chars().next() {
        push_title(&mut out, first);
        // Lowercase letters depend on the letter before them: `Σ` at the end of a word is `ς`.
        let small = text.to_lowercase();
        let skipped: usize = first.to_lowercase().map(char::len_utf8).sum();
        out.push_str(&small[skipped..]);
    }
    out
}

/// The first letter of each word as in a title, all others small: `str.title`.
pub(crate) fn title_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for (at, char) in text.char_indices() {
        let after = || {
            text[at + char.len_utf8()..]
                .chars()
                .find(|char| !is_ignored(*char))
        };
        match char {
            'Σ' if inside && !after().is_some_and(is_cased) => out.push('ς'),
            _ if inside => out.extend(char.to_lowercase()),
            _ => push_title(&mut out, char),
        }
        inside = is_cased(char);
    }
    out
}

/// The characters that do not end a word for the letter before them.
fn is_ignored(char: char) -> bool {
    matches!(
        char,
        '\'' | '.'
            | ':'
            | '^'
            | '`'
            | '\u{a8}'
            | '\u{ad}'
            | '\u{af}'
            | '\u{b4}'
            | '\u{b7}'
            | '\u{b8}'
            | '\u{2019}'
            | '\u{300}'..='\u{36f}'
    )
}

/// The byte at which the character of that number begins; the text's end if there are not so many.
pub(crate) fn char_offset(text: &str, nth: usize) -> usize {
    text.char_indices()
        .nth(nth)
        .map_or(text.len(), |(at, _)| at)
}
