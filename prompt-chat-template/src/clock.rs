//! Dates and times as Python's `strftime` prints them.

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

    /// Formats the moment as Python's `strftime` does with the GNU C library: flags, a width and the modifiers `E` and `O` are read,
    /// and a directive that the library does not know is copied, with its flags and its width.
    pub(crate) fn format_pattern(self, pattern: &str) -> String {
        let mut out = String::with_capacity(pattern.len() + 16);
        let mut rest = pattern;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            let (directive, after) = Directive::parse(&rest[at + 1..]);
            let text = self.format_directive(&directive);
            let copied = || Formatted::Composite(rest[at..rest.len() - after.len()].to_owned());
            directive.push_padded(&text.unwrap_or_else(copied), &mut out);
            rest = after;
        }
        out.push_str(rest);
        out
    }

    fn format_directive(self, directive: &Directive) -> Option<Formatted> {
        let Date { year, month, day } = self.date;
        let (hour, minute, second) = (self.second / 3600, self.second / 60 % 60, self.second % 60);
        let number = |number: u32, width| Some(Formatted::Number(number.into(), width, '0'));
        let spaced = |number: u32| Some(Formatted::Number(number.into(), 2, ' '));
        let text = |text: &str| Some(Formatted::Text(text.to_owned()));
        let pattern = |pattern: &str| Some(Formatted::Composite(self.format_pattern(pattern)));
        let hour12 = (hour + 11) % 12 + 1;
        let day_name = WEEKDAYS[self.weekday() as usize];
        let month_name = self.date.month_name();
        let (iso_year, iso_week) = self.iso_week();
        let of_year = self.day_of_year() + 6;
        match (directive.modifier, directive.conversion?) {
            (
                Some('E'),
                'A' | 'a' | 'B' | 'b' | 'h' | 'D' | 'F' | 'd' | 'e' | 'H' | 'I' | 'k' | 'l',
            )
            | (Some('E'), 'j' | 'M' | 'm' | 'S' | 'U' | 'W' | 'V' | 'g' | 'G' | 'w')
            | (Some('O'), 'A' | 'a' | 'c' | 'D' | 'F' | 'x' | 'X' | 'Y') => None,
            (_, 'd') => number(day, 2),
            (_, 'e') => spaced(day),
            (_, 'm') => number(month, 2),
            (_, 'H') => number(hour, 2),
            (_, 'k') => spaced(hour),
            (_, 'I') => number(hour12, 2),
            (_, 'l') => spaced(hour12),
            (_, 'M') => number(minute, 2),
            (_, 'S') => number(second, 2),
            // Python writes the microseconds itself, where no flag is given.
            (None, 'f') if directive.is_plain() => text("000000"),
            (_, 'j') => number(self.day_of_year(), 3),
            (_, 'y') => number(year.rem_euclid(100).unsigned_abs(), 2),
            (_, 'C') => number(year.div_euclid(100).unsigned_abs(), 2),
            (_, 'Y') => Some(Formatted::Number(year.into(), 1, '0')),
            (_, 'G') => Some(Formatted::Number(iso_year.into(), 1, '0')),
            (_, 'g') => number(iso_year.rem_euclid(100).unsigned_abs(), 2),
            (_, 'V') => number(iso_week, 2),
            (_, 'U') => number((of_year - self.weekday()) / 7, 2),
            (_, 'W') => number((of_year - (self.weekday() + 6) % 7) / 7, 2),
            (_, 'w') => number(self.weekday(), 1),
            (_, 'u') => number((self.weekday() + 6) % 7 + 1, 1),
            (_, 's') => {
                let seconds = (self.days() - 719_163) * 86_400 + i64::from(self.second);
                Some(Formatted::Number(seconds, 1, '0'))
            }
            (_, 'B') => text(month_name),
            (_, 'b' | 'h') => text(&month_name[..3]),
            (_, 'A') => text(day_name),
            (_, 'a') => text(&day_name[..3]),
            (_, 'p') => text(if hour < 12 { "AM" } else { "PM" }),
            (_, 'P') => text(if hour < 12 { "am" } else { "pm" }),
            (_, 'F') => pattern("%Y-%m-%d"),
            (_, 'T' | 'X') => pattern("%H:%M:%S"),
            (_, 'D' | 'x') => pattern("%m/%d/%y"),
            (_, 'R') => pattern("%H:%M"),
            (_, 'r') => pattern("%I:%M:%S %p"),
            (_, 'c') => pattern("%a %b %e %H:%M:%S %Y"),
            // A moment without a zone has no name for it.
            (_, 'Z' | 'z') => text(""),
            (_, 'n') => text("\n"),
            (_, 't') => text("\t"),
            (_, '%') => text("%"),
            _ => None,
        }
    }

    /// The year and the number of the week by ISO 8601.
    fn iso_week(self) -> (i32, u32) {
        let weekday = i64::from((self.weekday() + 6) % 7);
        // The week belongs to the year of its Thursday.
        let thursday = i64::from(self.day_of_year()) - weekday + 3;
        let days = |year: i32| if is_leap(year) { 366 } else { 365 };
        let year = self.date.year;
        let (year, day) = match thursday {
            ..1 => (year - 1, thursday + days(year - 1)),
            day if day > days(year) => (year + 1, day - days(year)),
            day => (year, day),
        };
        (year, u32::try_from((day + 6) / 7).unwrap_or(1))
    }

    fn day_of_year(self) -> u32 {
        let Date { year, month, day } = self.date;
        let before: u32 = (1..month.min(12))
            .map(|month| match month {
                2 => 28 + u32::from(is_leap(year)),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            })
            .sum();
        before + day
    }

    /// Days since the last day of the year before the year 1.
    fn days(self) -> i64 {
        let years = i64::from(self.date.year) - 1;
        let leaps = years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
        years * 365 + leaps + i64::from(self.day_of_year())
    }

    /// From Sunday, which is 0.
    fn weekday(self) -> u32 {
        u32::try_from(self.days().rem_euclid(7)).unwrap_or(0)
    }
}

fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// A directive of a pattern.
#[derive(Default)]
struct Directive {
    /// `_`, `-` or `0`.
    pad: Option<char>,
    is_upper: bool,
    is_swapped: bool,
    width: usize,
    modifier: Option<char>,
    conversion: Option<char>,
}

/// The text of a directive before its flags are applied.
enum Formatted {
    /// A number with its usual width and padding.
    Number(i64, usize, char),
    Text(String),
    /// A text of several directives, whose case stays.
    Composite(String),
}

/// The widest text of a directive.
const MAX_WIDTH: usize = 24;

impl Directive {
    /// Reads a directive behind its `%`, and returns the text after it.
    fn parse(text: &str) -> (Directive, &str) {
        let mut directive = Directive::default();
        let mut chars = text.chars().peekable();
        while let Some(flag) = chars.next_if(|char| "_-0^#".contains(*char)) {
            match flag {
                '^' => directive.is_upper = true,
                '#' => directive.is_swapped = true,
                pad => directive.pad = Some(pad),
            }
        }
        while let Some(digit) = chars.peek().and_then(|char| char.to_digit(10)) {
            chars.next();
            let width = directive.width * 10 + digit as usize;
            directive.width = width.min(MAX_WIDTH);
        }
        directive.modifier = chars.next_if(|char| "EO".contains(*char));
        directive.conversion = chars.next();
        let rest: usize = chars.map(char::len_utf8).sum();
        (directive, &text[text.len() - rest..])
    }

    fn is_plain(&self) -> bool {
        self.pad.is_none() && !self.is_upper && !self.is_swapped && self.width == 0
    }

    fn push_padded(&self, formatted: &Formatted, out: &mut String) {
        // The library stops before the padding of a zone that is not known.
        if self.conversion == Some('z') {
            return;
        }
        let (text, width, pad) = match formatted {
            Formatted::Number(number, width, pad) => {
                let pad = match self.pad {
                    Some('_' | '-') => ' ',
                    Some('0') => '0',
                    _ => *pad,
                };
                let width = if self.pad == Some('-') { 0 } else { *width };
                (number.to_string(), width.max(self.width), pad)
            }
            Formatted::Text(text) | Formatted::Composite(text) => {
                let pad = if self.pad == Some('0') { '0' } else { ' ' };
                let is_text = matches!(formatted, Formatted::Text(_));
                let text = match self.conversion {
                    Some('p') if self.is_swapped => text.to_lowercase(),
                    Some('P') => text.clone(),
                    _ if self.is_upper || self.is_swapped && is_text => text.to_uppercase(),
                    _ => text.clone(),
                };
                (text, self.width, pad)
            }
        };
        let count = text.chars().count();
        out.extend(std::iter::repeat_n(pad, width.saturating_sub(count)));
        out.push_str(&text);
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
        check("%e|%-e|%l:%M %P|%k", " 6|6|12:34 pm|12");
        check("%V of %G, day %u|%U %W|%C", "27 of 2025, day 7|27 26|20");
        check("%n%t|%r|%s", "\n\t|12:34:56 PM|1751805296");
        check(
            "%-6d|%-6Y|[%5z%_4z%z]|%_d|%0e|%^a|%#p|%^c|%5d|%-m",
            "     6|  2025|[]| 6|06|SUN|pm|SUN JUL  6 12:34:56 2025|00006|7",
        );
        check("%Ey %Od %OC %EA %E", "25 06 20 %EA %E");
        check("%5q|%05q|%^q|%_5q|%7EA", "  %5q|0%05q|%^Q| %_5q|   %7EA");
        check(
            "%7é|%^é|%#q|%24q",
            "    %7é|%^É|%#q|                    %24q",
        );
        check("%^5", "  %^5");
    }
}
