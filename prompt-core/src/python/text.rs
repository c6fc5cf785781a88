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
    out.push(mark);
}

/// What Python prints as it is: no control, format or private characters, and no space but the plain one.
fn is_printable(char: char) -> bool {
    let hidden = matches!(char,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..);
    char == ' ' || !(hidden || char.is_control() || char.is_whitespace())
}
