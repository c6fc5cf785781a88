//! Floats with a number of decimals, in the styles of Python.

/// A float that is not negative with so many decimals, in the style of its letter.
pub(crate) fn format_decimals(
    number: f64,
    style: char,
    precision: usize,
    alternate: bool,
) -> String {
    let text = if !number.is_finite() {
        if number.is_nan() {
            "nan".to_owned()
        } else {
            "inf".to_owned()
        }
    } else {
        match style.to_ascii_lowercase() {
            'f' => {
                let point = if alternate && precision == 0 { "." } else { "" };
                let (exact, zeros) = split_precision(precision);
                format!("{number:.exact$}{zeros}{point}")
            }
            'e' => format_scientific(number, precision, alternate),
            _ => format_general(number, precision.clamp(1, MAX_DECIMALS), alternate),
        }
    };
    if style.is_ascii_uppercase() {
        text.to_uppercase()
    } else {
        text
    }
}

/// No float has more digits behind its point; beyond, there are zeros, which Rust does not print in any number.
const MAX_DECIMALS: usize = 1100;

/// The number of decimals to format, and the zeros after them.
fn split_precision(precision: usize) -> (usize, String) {
    let exact = precision.min(MAX_DECIMALS);
    (exact, "0".repeat(precision - exact))
}

fn format_scientific(number: f64, precision: usize, alternate: bool) -> String {
    let (exact, zeros) = split_precision(precision);
    let text = format!("{number:.exact$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (mark, exponent) = exponent
        .strip_prefix('-')
        .map_or(('+', exponent), |rest| ('-', rest));
    let point = if alternate && precision == 0 { "." } else { "" };
    format!("{digits}{zeros}{point}e{mark}{exponent:0>2}")
}

/// So many digits in all, without zeros at the end unless asked.
fn format_general(number: f64, digits: usize, alternate: bool) -> String {
    let rounded = format!("{number:.*e}", digits - 1);
    let exponent: i64 = rounded
        .split_once('e')
        .and_then(|parts| parts.1.parse().ok())
        .unwrap_or(0);
    let digits_i = i64::try_from(digits).unwrap_or(i64::MAX);
    if exponent < -4 || exponent >= digits_i {
        let text = format_scientific(number, digits - 1, alternate);
        if alternate {
            return text;
        }
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", without_zeros(mantissa));
    }
    let decimals = usize::try_from(digits_i - 1 - exponent).unwrap_or(0);
    let text = format!("{number:.decimals$}");
    if alternate {
        return if text.contains('.') { text } else { text + "." };
    }
    without_zeros(&text).to_owned()
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}
