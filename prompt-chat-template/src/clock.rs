//! Dates and times as Python's `strftime` prints them.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use prompt_core::format::Date;

/// A moment, for templates that contain the date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moment {
    pub(crate) date: Date,
    /// Seconds since midnight.
    pub(crate) second: u32,
}

const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

impl Moment {
    /// Now, in UTC.
    pub(crate) fn now() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let second = since.map_or(0, |since| since.as_secs() % 86_400);
        Moment {
            date: Date::today(),
            second: u32::try_from(second).unwrap_or(0),
        }
    }

    /// Formats the moment by a `strftime` pattern. Unknown directives are copied.
    pub(crate) fn format_pattern(self, pattern: &str) -> String {
        let mut out = String::with_capacity(pattern.len() + 16);
        let mut chars = pattern.chars();
        while let Some(char) = chars.next() {
            if char != '%' {
                out.push(char);
                continue;
            }
            let mut directive = chars.next();
            // `%-d` is the day without its zero.
            let bare = directive == Some('-');
            if bare {
                directive = chars.next();
            }
            self.push_directive(directive, bare, &mut out);
        }
        out
    }

    fn push_directive(self, directive: Option<char>, bare: bool, out: &mut String) {
        let Date { year, month, day } = self.date;
        let (hour, minute, second) = (self.second / 3600, self.second / 60 % 60, self.second % 60);
        let mut number = |number: u32, width: usize| {
            let width = if bare { 0 } else { width };
            let _ = write!(out, "{number:0width$}");
        };
        match directive {
            Some('d') => number(day, 2),
            Some('m') => number(month, 2),
            Some('H') => number(hour, 2),
            Some('I') => number((hour + 11) % 12 + 1, 2),
            Some('M') => number(minute, 2),
            Some('S') => number(second, 2),
            Some('f') => number(0, 6),
            Some('j') => number(self.day_of_year(), 3),
            Some('y') => number(year.rem_euclid(100).unsigned_abs(), 2),
            Some('w') => number(self.weekday(), 1),
            Some('Y') => {
                let _ = write!(out, "{year}");
            }
            Some('B') => out.push_str(self.date.month_name()),
            Some('b' | 'h') => out.push_str(&self.date.month_name()[..3]),
            Some('A') => out.push_str(WEEKDAYS[self.weekday() as usize]),
            Some('a') => out.push_str(&WEEKDAYS[self.weekday() as usize][..3]),
            Some('p') => out.push_str(if hour < 12 { "AM" } else { "PM" }),
            Some('F') => out.push_str(&self.format_pattern("%Y-%m-%d")),
            Some('T' | 'X') => out.push_str(&self.format_pattern("%H:%M:%S")),
            Some('D' | 'x') => out.push_str(&self.format_pattern("%m/%d/%y")),
            Some('R') => out.push_str(&self.format_pattern("%H:%M")),
            Some('c') => {
                let _ = write!(
                    out,
                    "{} {day:2} {}",
                    self.format_pattern("%a %b"),
                    self.format_pattern("%T %Y")
                );
            }
            // A moment without a zone has no name for it.
            Some('Z' | 'z') => {}
            Some('%') => out.push('%'),
            other => {
                out.push_str(if bare { "%-" } else { "%" });
                out.extend(other);
            }
        }
    }

    fn day_of_year(self) -> u32 {
        let Date { year, month, day } = self.date;
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let before: u32 = (1..month.min(12))
            .map(|month| match month {
                2 => 28 + u32::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            })
            .sum();
        before + day
    }

    /// From Sunday, which is 0.
    fn weekday(self) -> u32 {
        let years = i64::from(self.date.year) - 1;
        let leaps = years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
        let days = years * 365 + leaps + i64::from(self.day_of_year());
        u32::try_from(days.rem_euclid(7)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let moment = Moment {
            date: Date {
                year: 2025,
                month: 7,
                day: 6,
            },
            second: 12 * 3600 + 34 * 60 + 56,
        };
        let check = |pattern: &str, text: &str| assert_eq!(moment.format_pattern(pattern), text);
        check("%d %b %Y", "06 Jul 2025");
        check("%-d %B, %A %a", "6 July, Sunday Sun");
        check("%Y-%m-%dT%H:%M:%S", "2025-07-06T12:34:56");
        check("%I %p %j %y %% %q %", "12 PM 187 25 % %q %");
    }
}
