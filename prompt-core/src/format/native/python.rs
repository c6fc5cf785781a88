//! Python's text functions on which models' chat templates rely.

use std::fmt::Write as _;

use crate::Json;
use crate::python::{float_repr, json_float};
use prompt_base::json::{Escapes, JsonStyle, TokenKind, push_char, push_string, unescape};

/// `str.title`: every word starts with a capital, the rest is lowercase.
pub(crate) fn title(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for letter in text.chars() {
        if inside {
            out.extend(letter.to_lowercase());
        } else {
            out.extend(letter.to_uppercase());
        }
        inside = letter.is_alphabetic();
    }
    out
}

/// `json.dumps(…, ensure_ascii=False)`: `", "` and `": "` between tokens, or an indent.
///
/// Keys keep their order; numbers and strings are written as Python writes them.
pub(crate) fn dumps(json: &Json, indent: Option<usize>) -> String {
    let indent = indent.map(|width| " ".repeat(width));
    let style = indent
        .as_deref()
        .map_or(JsonStyle::SPACED, JsonStyle::indented);
    json.transcribe(style, |out, kind, token| match kind {
        TokenKind::Key | TokenKind::String => {
            push_string(out, &unescape(token), Escapes::Required);
        }
        TokenKind::Number => push_number(out, token, json_float),
        _ => out.push_str(token),
    })
}

/// Appends a number of JSON: Python reads one with a fraction or an exponent as a float, and writes floats in one notation.
fn push_number(out: &mut String, token: &str, print_float: impl Fn(f64) -> String) {
    match (token.contains(['.', 'e', 'E']), token.parse()) {
        (true, Ok(number)) => out.push_str(&print_float(number)),
        _ if token == "-0" => out.push('0'),
        _ => out.push_str(token),
    }
}

/// A string as `json.dumps(…, ensure_ascii=False)` writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_string(&mut out, text, Escapes::Required);
    out
}

/// The same without its quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        push_char(&mut out, letter, Escapes::Required);
    }
    out
}

/// A list printed up to the end of the text of its last text item: as `repr` prints it, or as `dumps` does.
pub(crate) fn list_to_text(list: &Json, as_json: bool) -> Option<String> {
    let items = list.items()?;
    let last = items.iter().rposition(|item| item.get("text").is_some())?;
    let print = |json: &Json| {
        if as_json {
            dumps(json, None)
        } else {
            repr(json)
        }
    };
    let mut out = "[".to_owned();
    for item in &items[..last] {
        out.push_str(&print(item));
        out.push_str(", ");
    }
    out.push('{');
    for (key, value) in items[last].entries()? {
        out.push_str(&print(&Json::from(serde_json::Value::from(&*key))));
        out.push_str(": ");
        let value_text = print(&value);
        if key == "text" {
            out.push_str(&value_text[..value_text.len() - 1]);
            break;
        }
        out.push_str(&value_text);
        out.push_str(", ");
    }
    Some(out)
}

/// `str(value)`: a string as it is, everything else as Python's literals.
pub(crate) fn display(json: &Json) -> String {
    json.as_string().unwrap_or_else(|| repr(json))
}

/// `repr(value)`: JSON as Python's literals.
pub(crate) fn repr(json: &Json) -> String {
    json.transcribe(JsonStyle::SPACED, |out, kind, token| match kind {
        TokenKind::Key | TokenKind::String => push_repr(out, &unescape(token)),
        TokenKind::Bool => out.push_str(if token == "true" { "True" } else { "False" }),
        TokenKind::Null => out.push_str("None"),
        TokenKind::Number => push_number(out, token, float_repr),
        _ => out.push_str(token),
    })
}

/// Appends a string as Python's `repr` prints it.
///
/// ```
/// let mut out = String::new();
/// prompt_core::python::push_repr(&mut out, "it's\n");
/// assert_eq!(out, r#""it's\n""#);
/// ```
pub fn push_repr(out: &mut String, text: &str) {
    let mark = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    out.push(mark);
    for char in text.chars() {
        push_escaped(out, char, mark);
    }
    out.push(mark);
}

/// Appends a character of a string as `repr` prints it between these quotation marks.
///
/// ```
/// let mut out = String::new();
/// prompt_core::python::push_escaped(&mut out, '\'', '\'');
/// assert_eq!(out, r"\'");
/// ```
pub fn push_escaped(out: &mut String, char: char, mark: char) {
    let code = u32::from(char);
    let _ = match char {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        '\\' => out.write_str("\\\\"),
        _ if char == mark => write!(out, "\\{char}"),
        _ if is_printable(char) => out.write_char(char),
        _ if code < 0x100 => write!(out, "\\x{code:02x}"),
        _ if code < 0x1_0000 => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// `str.isprintable` of one character: not a control, format, private or unassigned character, and of all spaces only U+0020. The
/// standard library exposes this only through its escapes, and escapes combining marks only at the start of a string.
fn is_printable(char: char) -> bool {
    if char.is_ascii() {
        return !char.is_ascii_control();
    }
    let mut text = [b'a', 0, 0, 0, 0];
    let len = 1 + char.encode_utf8(&mut text[1..]).len();
    let text = std::str::from_utf8(&text[..len]).unwrap_or_default();
    text.escape_debug().nth(1) != Some('\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let json = Json::parse("[1e5, 1.50, 1E-7, 1e16, -0, -0.0, 1e999, 12345678901234567890]");
        let json = json.unwrap();
        let shared = "[100000.0, 1.5, 1e-07, 1e+16, 0, -0.0, ";
        assert_eq!(
            dumps(&json, None),
            format!("{shared}Infinity, 12345678901234567890]")
        );
        assert_eq!(repr(&json), format!("{shared}inf, 12345678901234567890]"));
    }

    #[test]
    fn repeated_keys() {
        for (text, read) in [
            (r#"{"a":1,"b":2,"a":3}"#, r#"{"a":3,"b":2}"#),
            (
                r#"[{"b":{"\u0061":1,"a":{"c":1,"c":2}}}]"#,
                r#"[{"b":{"a":{"c":2}}}]"#,
            ),
            (r#"{"a":{"b":1},"b":[1.50]}"#, r#"{"a":{"b":1},"b":[1.50]}"#),
        ] {
            assert_eq!(Json::parse(text).unwrap().with_unique_keys().as_str(), read);
        }
    }

    #[test]
    fn strings() {
        for (text, expected) in [
            (
                "é e\u{301} 日本 🧭 \u{2764}\u{fe0f}",
                "'é e\u{301} 日本 🧭 \u{2764}\u{fe0f}'",
            ),
            ("\u{e0100}", "'\u{e0100}'"),
            ("\u{ad}\u{a0}\u{3000}", r"'\xad\xa0\u3000'"),
            (
                "\u{200b}\u{feff}\u{e000}\u{d7ff}",
                r"'\u200b\ufeff\ue000\ud7ff'",
            ),
            ("\u{378}\u{fffe}\u{10ffff}", r"'\u0378\ufffe\U0010ffff'"),
            ("\0\u{1b}\u{7f}\u{85}\u{2028}", r"'\x00\x1b\x7f\x85\u2028'"),
            ("it's", r#""it's""#),
            ("it's \"q\"", r#"'it\'s "q"'"#),
        ] {
            let mut out = String::new();
            push_repr(&mut out, text);
            assert_eq!(out, expected, "{text:?}");
        }
    }
}
