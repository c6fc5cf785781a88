//! Numbers and strings as Python's `repr` prints them.

use std::fmt::Write as _;

/// The fewest digits that give the same number, in scientific form. Where two such texts are equally near, Python takes
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

/// A string as Python's `repr` prints it.
pub(crate) fn quote(out: &mut String, text: &str) {
    let mark = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    out.push(mark);
    for char in text.chars() {
        escape(out, char, mark);
    }
    out.push(mark);
}

/// A character of a string that stands in these quotation marks.
pub(crate) fn escape(out: &mut String, char: char, mark: char) {
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

/// `str.isprintable` of one character: no control, format or private ones, none that Unicode has not assigned, and no
/// space but the plain one. The standard library knows, but tells only through what it escapes, and it escapes a
/// combining mark only at the start of a string.
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
            quote(&mut out, text);
            assert_eq!(out, expected, "{text:?}");
        }
    }
}
