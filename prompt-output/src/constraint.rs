//! Constraints of strings and numbers that a JSON Schema can express beside their type.

use crate::compile::Keywords;
use crate::types::Lengths;
use regex_lite::Regex;
use serde_json::Value;
use std::net::{Ipv4Addr, Ipv6Addr};

/// The constraints of a string.
#[derive(Debug)]
pub(crate) struct StringConstraints {
    pub lengths: Lengths,
    pub pattern: Option<Regex>,
    pub format: Option<&'static StringFormat>,
}

/// A `format` of strings that is enforced.
#[derive(Debug)]
pub(crate) struct StringFormat {
    pub name: &'static str,
    allows: fn(&str) -> bool,
}

/// The formats that are simple enough to be decided here. The others are annotations, as JSON Schema defines them.
const FORMATS: [StringFormat; 7] = [
    StringFormat {
        name: "date",
        allows: is_date,
    },
    StringFormat {
        name: "time",
        allows: is_time,
    },
    StringFormat {
        name: "date-time",
        allows: is_date_time,
    },
    StringFormat {
        name: "email",
        allows: is_email,
    },
    StringFormat {
        name: "uuid",
        allows: is_uuid,
    },
    StringFormat {
        name: "ipv4",
        allows: |text| text.parse::<Ipv4Addr>().is_ok(),
    },
    StringFormat {
        name: "ipv6",
        allows: |text| text.parse::<Ipv6Addr>().is_ok(),
    },
];

impl StringConstraints {
    pub(crate) fn from_keywords(map: &Keywords<'_>) -> Result<StringConstraints, String> {
        let pattern = match map.get("pattern") {
            Some(Value::String(pattern)) => Some(compile_regex(pattern)?),
            _ => None,
        };
        let format = map.get("format").and_then(Value::as_str);
        Ok(StringConstraints {
            lengths: Lengths::from_keywords(map, "minLength", "maxLength"),
            pattern,
            format: FORMATS.iter().find(|known| Some(known.name) == format),
        })
    }

    pub(crate) fn is_any(&self) -> bool {
        self.lengths == Lengths::ANY && self.pattern.is_none() && self.format.is_none()
    }

    /// The constraint that a string violates: `a string that matches …`. Lengths are not included.
    pub(crate) fn violated_constraint(&self, text: &str) -> Option<String> {
        match (&self.pattern, self.format) {
            (Some(pattern), _) if !pattern.is_match(text) => Some(describe_pattern(pattern)),
            (_, Some(format)) if !(format.allows)(text) => Some(describe_format(format)),
            _ => None,
        }
    }

    pub(crate) fn description(&self) -> String {
        match (&self.pattern, self.format) {
            (Some(pattern), _) => describe_pattern(pattern),
            (None, Some(format)) => describe_format(format),
            (None, None) => "a string".to_owned(),
        }
    }
}

fn describe_pattern(pattern: &Regex) -> String {
    format!("a string that matches `{}`", pattern.as_str())
}

fn describe_format(format: &StringFormat) -> String {
    format!("a string in the format `{}`", format.name)
}

/// Compiles a pattern of JSON Schema.
pub(crate) fn compile_regex(pattern: &str) -> Result<Regex, String> {
    Regex::new(pattern)
        .map_err(|error| format!("the pattern `{pattern}` is not supported: {error}"))
}

/// The digits and other characters of a template: `0` is any digit.
fn is_like(text: &str, template: &str) -> bool {
    text.len() == template.len()
        && text
            .bytes()
            .zip(template.bytes())
            .all(|(byte, expected)| match expected {
                b'0' => byte.is_ascii_digit(),
                b'x' => byte.is_ascii_hexdigit(),
                other => byte.eq_ignore_ascii_case(&other),
            })
}

fn parse_digits(text: &str) -> u32 {
    text.parse().unwrap_or(u32::MAX)
}

fn is_date(text: &str) -> bool {
    if !is_like(text, "0000-00-00") {
        return false;
    }
    let (year, month, day) = (
        parse_digits(&text[..4]),
        parse_digits(&text[5..7]),
        parse_digits(&text[8..]),
    );
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (1..=12).contains(&month) && (1..=days).contains(&day)
}

/// RFC 3339, with or without its offset, since schemars also uses this format for chrono's times without one.
fn is_time(text: &str) -> bool {
    let Some((time, rest)) = text.split_at_checked(8) else {
        return false;
    };
    let hours = |text: &str| parse_digits(&text[..2]) < 24 && parse_digits(&text[3..5]) < 60;
    if !is_like(time, "00:00:00") || !hours(time) || parse_digits(&time[6..]) > 60 {
        return false;
    }
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if offset.len() == fraction.len() {
                return false;
            }
            offset
        }
        None => rest,
    };
    matches!(rest, "" | "Z" | "z")
        || rest
            .strip_prefix(['+', '-'])
            .is_some_and(|offset| is_like(offset, "00:00") && hours(offset))
}

fn is_date_time(text: &str) -> bool {
    text.split_at_checked(10).is_some_and(|(date, time)| {
        is_date(date) && time.strip_prefix(['T', 't', ' ']).is_some_and(is_time)
    })
}

fn is_email(text: &str) -> bool {
    text.rsplit_once('@').is_some_and(|(name, domain)| {
        let labels = || domain.split('.');
        !name.is_empty()
            && !text.contains(char::is_whitespace)
            && labels().all(|label| {
                !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-')
            })
    })
}

fn is_uuid(text: &str) -> bool {
    is_like(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
}

/// Whether a number is a multiple of another one, up to the precision of floats.
pub(crate) fn is_multiple(number: f64, step: f64) -> bool {
    let ratio = number / step;
    (ratio - ratio.round()).abs() <= 1e-9 * ratio.abs().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        for (name, right, wrong) in [
            (
                "date",
                &["2024-02-29"] as &[&str],
                &["2023-02-29", "2024-13-01", "24-01-01", "2024-1-1"] as &[&str],
            ),
            (
                "time",
                &["09:30:00", "23:59:60Z", "01:02:03.5+02:00"],
                &["9:30:00", "24:00:00", "01:02:03.", "01:02"],
            ),
            (
                "date-time",
                &["2024-01-01T00:00:00Z", "2024-01-01T00:00:00.25-08:00"],
                &["2024-01-01", "2024-01-01T25:00:00Z"],
            ),
            (
                "email",
                &["a.b+c@example.org"],
                &["a", "@b.c", "a@b..c", "a b@c.d"],
            ),
            (
                "uuid",
                &["67e55044-10b1-426f-9247-bb680e5fe0c8"],
                &["67e55044", "67e55044-10b1-426f-9247-bb680e5fe0cg"],
            ),
            ("ipv4", &["127.0.0.1"], &["127.0.0.256"]),
            ("ipv6", &["::1"], &["1::2::3"]),
        ] {
            let format = FORMATS.iter().find(|format| format.name == name).unwrap();
            right
                .iter()
                .for_each(|text| assert!((format.allows)(text), "{name}: {text}"));
            wrong
                .iter()
                .for_each(|text| assert!(!(format.allows)(text), "{name}: {text}"));
        }
    }
}
