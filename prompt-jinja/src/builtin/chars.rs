//! Characters as Python's `str` sorts them.

use prompt_base::digit::decimal_value;
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
        match char {
            'Σ' if inside && is_final_sigma(text, at) => out.push('ς'),
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

/// Each word with a capital first letter.
pub(crate) fn title_words(text: &str) -> String {
    let splits = |char: char| is_space(char) || matches!(char, '-' | '(' | '{' | '[' | '<');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = splits(first);
        let end = rest.find(|char| splits(char) != kind).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.extend(first.to_uppercase());
        out.push_str(&word[first.len_utf8()..].to_lowercase());
        rest = after;
    }
    out
}

/// `str.islower`: letters, and none of them a capital.
pub(crate) fn is_lower_text(text: &str) -> bool {
    text.chars().any(char::is_lowercase)
        && !text
            .chars()
            .any(|char| char.is_uppercase() || is_title(char))
}

/// `str.isupper`: letters, and all of them capitals.
pub(crate) fn is_upper_text(text: &str) -> bool {
    text.chars().any(char::is_uppercase)
        && !text
            .chars()
            .any(|char| char.is_lowercase() || is_title(char))
}

/// `str.istitle`: capitals begin the words, and no other letter is one.
pub(crate) fn is_title_text(text: &str) -> bool {
    let (mut inside, mut any) = (false, false);
    for char in text.chars() {
        let begins = char.is_uppercase() || is_title(char);
        if begins && inside || char.is_lowercase() && !inside {
            return false;
        }
        inside = is_cased(char);
        any |= inside;
    }
    any
}

/// Digits that are not decimal, such as `²`.
const OTHERS: [(u32, u32); 20] = [
    (0xb2, 0xb3),
    (0xb9, 0xb9),
    (0x1369, 0x1371),
    (0x19da, 0x19da),
    (0x2070, 0x2070),
    (0x2074, 0x2079),
    (0x2080, 0x2089),
    (0x2460, 0x2468),
    (0x2474, 0x247c),
    (0x2488, 0x2490),
    (0x24ea, 0x24ea),
    (0x24f5, 0x24fd),
    (0x24ff, 0x24ff),
    (0x2776, 0x277e),
    (0x2780, 0x2788),
    (0x278a, 0x2792),
    (0x10a40, 0x10a43),
    (0x10e60, 0x10e68),
    (0x11052, 0x1105a),
    (0x1f100, 0x1f10a),
];

/// `str.isdigit`.
pub(crate) fn is_digit(char: char) -> bool {
    let code = u32::from(char);
    decimal_value(char).is_some()
        || OTHERS
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&code))
}

/// `str.swapcase`.
pub(crate) fn swap_case(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        match char {
            'Σ' if is_final_sigma(text, at) => out.push('ς'),
            char if char.is_uppercase() => out.extend(char.to_lowercase()),
            char if char.is_lowercase() => out.extend(char.to_uppercase()),
            char => out.push(char),
        }
    }
    out
}

/// Python's `ascii`, of a text that `repr` wrote.
pub(crate) fn escape_non_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        let code = u32::from(char);
        match code {
            0..=0x7f => out.push(char),
            0x80..=0xff => out.push_str(&format!("\\x{code:02x}")),
            0x100..=0xffff => out.push_str(&format!("\\u{code:04x}")),
            _ => out.push_str(&format!("\\U{code:08x}")),
        }
    }
    out
}

/// Whether the capital `Σ` at a byte is the last letter of its word.
fn is_final_sigma(text: &str, at: usize) -> bool {
    let is_cased = |char: Option<char>| char.is_some_and(is_cased);
    let mut before = text[..at].chars().rev();
    let mut after = text[at + 'Σ'.len_utf8()..].chars();
    is_cased(before.find(|char| !is_ignored(*char)))
        && !is_cased(after.find(|char| !is_ignored(*char)))
}

/// `str.casefold`: small letters, and several letters for one that has no single capital, such as `ß`.
pub(crate) fn fold_case(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            'ς' => out.push('σ'),
            char if char.to_uppercase().len() > 1 => {
                out.extend(char.to_uppercase().flat_map(char::to_lowercase));
            }
            char => out.extend(char.to_lowercase()),
        }
    }
    out
}
