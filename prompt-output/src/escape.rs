//! Escapes inside strings.

/// Replaces escapes. An escape that JSON does not know stays as it is, backslash and all, since it
/// is most likely a path, a pattern or a formula; the second result is false then. At the end of a
/// text that was cut off, an unfinished escape is dropped.
///
/// Who wrote one such escape has not escaped the others either: then a backslash before `beta` or `frac` begins no
/// backspace and no form feed. One before `n`, `t` or `r` may still be meant, as the most do, and is.
pub(super) fn decode(body: &str, cut: bool) -> (String, bool) {
    let mut text = String::with_capacity(body.len());
    let mut known = true;
    let mut rest = body;
    let literal = has_unknown(body);
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(letter) = rest.chars().next() else {
            if !cut {
                text.push('\\');
            }
            return (text, known);
        };
        rest = &rest[letter.len_utf8()..];
        match letter {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' | 'f' if literal && rest.starts_with(|next: char| next.is_ascii_alphabetic()) => {
                text.push('\\');
                text.push(letter);
            }
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            '"' | '\\' | '/' => text.push(letter),
            '\'' | '`' | '\n' => {
                known = false;
                text.push(letter);
            }
            'u' => match unicode(rest) {
                Unicode::Letter(letter, length) => {
                    text.push(letter);
                    rest = &rest[length..];
                }
                Unicode::Unfinished if cut => return (text, known),
                _ => {
                    known = false;
                    text.push_str("\\u");
                }
            },
            other => {
                known = false;
                text.push('\\');
                text.push(other);
            }
        }
    }
    text.push_str(rest);
    (text, known)
}

/// How many bytes a string begins with that need no look: up to a quote, a backslash or a control character. Eight at a
/// time, since most of an answer is such.
pub(super) fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    // The highest bit of each byte that is zero, and perhaps of such as come after it.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let mut at = 0;
    while let Some(&chunk) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(chunk);
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let backslashes = zeros(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * u64::from(b' ')) & !word;
        let found = (quotes | backslashes | controls) & (ONES << 7);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..b' ');
    let rest = &bytes[at..];
    at + rest.iter().position(special).unwrap_or(rest.len())
}

/// Whether a string holds an escape of a letter that JSON does not know.
fn has_unknown(body: &str) -> bool {
    let mut chars = body.chars();
    while let Some(char) = chars.next() {
        if char == '\\'
            && let Some(letter) = chars.next()
            && letter.is_ascii_alphabetic()
            && !"ntrbfu".contains(letter)
        {
            return true;
        }
    }
    false
}

enum Unicode {
    /// A character, and how many bytes after the `\u` it took.
    Letter(char, usize),
    /// The text ends within it.
    Unfinished,
    Wrong,
}

fn unicode(rest: &str) -> Unicode {
    let unit = |rest: &str| {
        rest.get(..4)
            .and_then(|digits| u16::from_str_radix(digits, 16).ok())
    };
    let Some(high) = unit(rest) else {
        let short = rest.len() < 4 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
        return if short {
            Unicode::Unfinished
        } else {
            Unicode::Wrong
        };
    };
    if let Some(letter) = char::from_u32(u32::from(high)) {
        return Unicode::Letter(letter, 4);
    }
    let after = &rest[4..];
    let low = after.strip_prefix("\\u").and_then(unit);
    let pair = low.and_then(|low| String::from_utf16(&[high, low]).ok()?.chars().next());
    match pair {
        Some(letter) => Unicode::Letter(letter, 10),
        None if "\\u".starts_with(after) || after.starts_with("\\u") && after.len() < 6 => {
            Unicode::Unfinished
        }
        None => Unicode::Letter(char::REPLACEMENT_CHARACTER, 4),
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, plain};

    #[test]
    fn escapes() {
        for (body, text, known) in [
            (r#"a\"b\\c\/d"#, r#"a"b\c/d"#, true),
            (r"\n\t\r\b\f", "\n\t\r\u{8}\u{c}", true),
            (r"\u00e9\ud83d\ude00", "é😀", true),
            (r"\ud83d!", "\u{fffd}!", true),
            (r"it\'s", "it's", false),
            (r"C:\dir \d+ \uXYZ", r"C:\dir \d+ \uXYZ", false),
        ] {
            assert_eq!(decode(body, false), (text.to_owned(), known), "{body}");
        }
    }

    #[test]
    fn plain_bytes_are_counted_alike_at_every_place() {
        for special in ["\"", "\\", "\u{0}", "\u{1f}", "\n"] {
            for before in 0..20 {
                for (fill, after) in [("a", "b"), ("\u{7f}", "!"), ("é", "😀"), (" ", "#")] {
                    let text = format!("{}{special}{}", fill.repeat(before), after.repeat(9));
                    let whole = fill.repeat(before);
                    assert_eq!(plain(text.as_bytes()), whole.len(), "{text:?}");
                    assert_eq!(plain(whole.as_bytes()), whole.len(), "{whole:?}");
                }
            }
        }
    }

    #[test]
    fn a_cut_escape_is_dropped() {
        for body in [
            "a\\",
            r"a\u",
            r"a\u00",
            r"a\ud83d",
            r"a\ud83d\",
            r"a\ud83d\ude",
        ] {
            assert_eq!(decode(body, true).0, "a", "{body}");
        }
    }
}
