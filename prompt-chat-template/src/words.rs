//! The words that a template looks for in what it is given.

use std::ops::Range;

/// The strings of a template that it compares, splits or looks for: not those that it only prints.
pub(crate) fn sought(source: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['{']) {
        rest = &rest[at + 1..];
        if !rest.starts_with(['{', '%']) {
            continue;
        }
        rest = &rest[1..];
        rest = in_block(rest, &mut found);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Reads a block to its end, and gives what follows.
fn in_block<'a>(block: &'a str, found: &mut Vec<String>) -> &'a str {
    let mut at = 0;
    let mut before = ' ';
    while let Some(char) = block[at..].chars().next() {
        match char {
            '\'' | '"' => {
                let len = string_len(&block[at..], char);
                let after = block[at + len..].trim_start();
                let is_sought = matches!(before, '(' | '=' | ',' | '[')
                    || ["in ", "not ", "==", "!="]
                        .iter()
                        .any(|word| after.starts_with(word));
                let text = unescaped(&block[at + 1..(at + len).saturating_sub(1).max(at + 1)]);
                if is_sought && !text.trim().is_empty() {
                    found.push(text);
                }
                at += len;
                before = char;
                continue;
            }
            '%' | '}' if block[at + 1..].starts_with('}') => return &block[at + 2..],
            char if char.is_whitespace() => {}
            char => before = char,
        }
        at += char.len_utf8();
    }
    ""
}

/// The bytes of a string with its quotes.
fn string_len(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            char if char == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                other => out.extend(other),
            },
            char => out.push(char),
        }
    }
    out
}

/// Where any of the words stands, in order and without overlap.
pub(crate) fn places(text: &str, words: &[String]) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        places.extend(
            text.match_indices(&**word)
                .map(|(at, _)| at..at + word.len()),
        );
    }
    places.sort_unstable_by_key(|place| (place.start, place.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(places.len());
    for place in places {
        match merged.last_mut() {
            Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
            _ => merged.push(place),
        }
    }
    merged
}

/// The characters of a text at which words begin and end, counted from 0.
pub(crate) fn borders(text: &str, words: &[String]) -> Vec<usize> {
    let mut bytes: Vec<usize> = Vec::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        let found = text.match_indices(&**word);
        bytes.extend(found.flat_map(|(at, word)| [at, at + word.len()]));
    }
    bytes.sort_unstable();
    bytes.dedup();
    let (mut from, mut chars) = (0, 0);
    for byte in &mut bytes {
        chars += text[from..*byte].chars().count();
        from = *byte;
        *byte = chars;
    }
    bytes
}

/// Whether a template cuts texts by position, as in `content[8:]`; a slice of the messages is none of a text.
pub(crate) fn slices(source: &str) -> bool {
    if [".find(", ".rfind(", ".index(", ".rindex("]
        .iter()
        .any(|method| source.contains(method))
    {
        return true;
    }
    let mut rest = source;
    while let Some(at) = rest.find('[') {
        let (before, after) = rest.split_at(at);
        rest = &after[1..];
        let inside = rest.split(']').next().unwrap_or_default();
        let is_slice =
            inside.contains(':') && !inside.contains(['\'', '"', '{', '}', '[', '%', '\n']);
        let named = before.ends_with(|char: char| char.is_alphanumeric() || "_])".contains(char));
        if is_slice && named && !before.ends_with("messages") {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_looked_for() {
        let source = "'no' {{ '<s>' + x }}{% if '</think>' in x and y == \"a\\n\" %}{{ x.split('z') }}{% set e = '}}' %}";
        assert_eq!(sought(source), ["</think>", "a\n", "z", "}}"]);
    }

    #[test]
    fn places_do_not_overlap() {
        let words = ["ab".to_owned(), "bc".to_owned()];
        assert_eq!(places("abc-ab", &words), [0..3, 4..6]);
    }

    #[test]
    fn slices_of_texts() {
        assert!(slices("{{ content[8:] }}"));
        assert!(slices("{{ m['content'][:-1] }}"));
        assert!(slices("{{ x[content.find('a')] }}"));
        assert!(!slices(
            "{% for m in messages[1:] %}{{ x['a:b'] }}{{ [1, {'a': 2}] }}"
        ));
    }
}
