//! Numbers and strings as Python's `repr` prints them, and the white space of Python's `str`.

#[cfg(feature = "python")]
mod value;

use std::fmt::Write as _;
use std::ops::Range;

#[cfg(feature = "python")]
pub use value::{Python, python};

/// The fewest digits that are parsed back to the same number, in scientific form. If two such texts are equally near, Python uses
/// the one that ends in an even digit, and Rust the larger one.
pub(crate) fn shortest(number: f64) -> String {
    let shortest = format!("{number:e}");
    let digits = shortest.bytes().take_while(|byte| *byte != b'e');
    let digits = digits.filter(u8::is_ascii_digit).count();
    let even = format!("{number:.*e}", digits.saturating_sub(1));
    if even.parse() == Ok(number) {
        even
    } else {
        shortest
    }
}

/// A float from its shortest digits in scientific form, such as `1.5e16`.
pub(crate) fn float(finite: bool, scientific: &str) -> String {
    let (sign, digits) = scientific
        .strip_prefix('-')
        .map_or(("", scientific), |digits| ("-", digits));
    if !finite {
        return format!("{sign}{}", if digits == "NaN" { "nan" } else { "inf" });
    }
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = mantissa.replace('.', "");
    // Python's repr: from 1e16 on, and below 1e-4, in scientific form.
    if !(-4..16).contains(&exponent) {
        let mark = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{mantissa}e{mark}{:02}", exponent.abs());
    }
    if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}0.{zeros}{digits}");
    }
    let whole = exponent.unsigned_abs() as usize + 1;
    match digits.split_at_checked(whole) {
        Some((before, after)) if !after.is_empty() => format!("{sign}{before}.{after}"),
        _ => format!("{sign}{digits}{}.0", "0".repeat(whole - digits.len())),
    }
}

/// A number as Python's `repr` prints it.
///
/// ```
/// assert_eq!(typed_prompt::value::python::float_repr(1e16), "1e+16");
/// ```
pub fn float_repr(number: f64) -> String {
    float(number.is_finite(), &shortest(number))
}

/// A number as Python's `json.dumps` prints it: as [`float_repr`], but `NaN` and `Infinity`.
///
/// ```
/// assert_eq!(typed_prompt::value::python::json_float(f64::NEG_INFINITY), "-Infinity");
/// ```
pub fn json_float(number: f64) -> String {
    match number {
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ if number.is_nan() => "NaN".to_owned(),
        _ => float_repr(number),
    }
}

/// Appends a string as Python's `repr` prints it.
///
/// ```
/// let mut out = String::new();
/// typed_prompt::value::python::push_repr(&mut out, "it's\n");
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
/// typed_prompt::value::python::push_escaped(&mut out, '\'', '\'');
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

/// Whether Python's `str.isspace` and `str.strip` count it as white space: Unicode's, and four control characters.
///
/// ```
/// assert!(typed_prompt::value::python::is_whitespace('\u{1c}'));
/// ```
pub fn is_whitespace(char: char) -> bool {
    char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char)
}

/// The ranges of the lines without their line breaks, as Python's `str.splitlines` cuts them.
///
/// ```
/// assert_eq!(typed_prompt::value::python::lines("a\r\nb\u{b}"), [0..1, 3..4]);
/// ```
pub fn lines(text: &str) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        if !ends_line(char) {
            continue;
        }
        lines.push(start..at);
        start = at + char.len_utf8();
        if char == '\r' && chars.next_if(|next| next.1 == '\n').is_some() {
            start += 1;
        }
    }
    if start < text.len() {
        lines.push(start..text.len());
    }
    lines
}

fn ends_line(char: char) -> bool {
    matches!(
        char,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
