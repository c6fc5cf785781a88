//! What is JSON by its grammar, and no value of this language.

use super::print::string_end;

/// How deep values may stand in one another: as deep as in `serde_json::Value`. Whatever goes through them calls itself.
const DEPTH: usize = 127;

/// Where a JSON text is refused all the same, and why.
pub(super) fn refused(text: &str) -> Option<(usize, &'static str)> {
    let deep = too_deep(text.as_bytes()).map(|at| (at, "it is nested deeper than 127"));
    deep.or_else(|| Some((half(text.as_bytes())?, "this escape is half of a character")))
}

/// The first bracket that opens one level too many.
fn too_deep(bytes: &[u8]) -> Option<usize> {
    let opens = |byte: &&u8| matches!(byte, b'[' | b'{');
    // Few texts hold so many brackets, and they are counted many bytes at a time.
    if bytes.iter().filter(opens).count() <= DEPTH {
        return None;
    }
    let (mut at, mut depth) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at) - 1,
            b'[' | b'{' if depth == DEPTH => return Some(at),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The first `\\u` of a surrogate without its other half. JSON has backslashes in strings alone.
fn half(bytes: &[u8]) -> Option<usize> {
    let unit = |at: usize| {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'\\', &bytes[at..]) {
        at += next;
        at += match unit(at) {
            None => 2,
            Some(0xd800..=0xdbff) if matches!(unit(at + 6), Some(0xdc00..=0xdfff)) => 12,
            Some(0xd800..=0xdfff) => return Some(at),
            Some(_) => 6,
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_characters() {
        for (text, place) in [
            (r#""a\ud83d\ude00b""#, None),
            (r#""\ud83d""#, Some(1)),
            (r#"["\\ud83d", "\uD83D\n"]"#, Some(13)),
            (r#""\ude00\ud83d""#, Some(1)),
            (r#""\ud83d\ud83d\ude00""#, Some(1)),
            (r#"{"\u00e9\udfff": 1}"#, Some(8)),
        ] {
            assert_eq!(half(text.as_bytes()), place, "{text}");
            assert_eq!(
                serde_json::from_str::<serde_json::Value>(text).is_ok(),
                place.is_none()
            );
        }
    }

    #[test]
    fn depth_is_counted_outside_of_strings() {
        let nested = |depth: usize| ["[".repeat(depth), "]".repeat(depth)].concat();
        assert_eq!(too_deep(nested(127).as_bytes()), None);
        assert_eq!(too_deep(nested(128).as_bytes()), Some(127));
        let text = format!("[{:?},{}]", "[{".repeat(200), "[{}],".repeat(200) + "1");
        assert_eq!(too_deep(text.as_bytes()), None);
        for depth in [126, 127, 128, 129] {
            let text = nested(depth);
            let value = serde_json::from_str::<serde_json::Value>(&text);
            assert_eq!(value.is_ok(), refused(&text).is_none(), "{depth}");
        }
    }
}
