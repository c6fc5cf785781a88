//! The options of one text, and dates.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::Json;

/// The options of one text.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// What the text ends with.
    pub(crate) end: End,
    /// Whether what the family does not support is an error. Otherwise the model's own template decides.
    pub(crate) strict: bool,
    /// The token at the start, if it is to be left out.
    pub(crate) skipped: Option<&'static str>,
    /// Whether the token at the end is written.
    pub(crate) eos: bool,
    /// The date in the text; today, if not given.
    pub(crate) date: Option<Date>,
    /// The date as given text.
    pub(crate) date_text: Option<String>,
    /// Whether the model reasons before it answers.
    pub(crate) thinking: Option<bool>,
    /// The reasoning effort.
    pub(crate) effort: Option<String>,
    /// The identity of the model in the system message.
    pub(crate) identity: Option<String>,
    /// Tools that the model's maker built in.
    pub(crate) builtin_tools: Option<Vec<String>>,
    /// Whether tools are described in the first user message, or in the system turn.
    pub(crate) tools_in_user: bool,
    /// Tools that are called with Python code.
    pub(crate) python_tools: Vec<Json>,
    /// Passages to answer from.
    pub(crate) documents: Vec<Json>,
    /// Requirements of the answer, such as citations or a length.
    pub(crate) controls: Option<Json>,
}

/// What the text ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The start of the assistant's turn: the model answers.
    Answer,
    /// The last message, closed.
    Closed,
    /// The last message, left open: the model continues it.
    Open,
}

impl Options {
    /// The defaults.
    pub(crate) const DEFAULT: Options = Options {
        end: End::Answer,
        strict: true,
        skipped: None,
        eos: true,
        date: None,
        date_text: None,
        thinking: None,
        effort: None,
        identity: None,
        builtin_tools: None,
        tools_in_user: true,
        python_tools: Vec::new(),
        documents: Vec::new(),
        controls: None,
    };

    pub(crate) fn day(&self) -> Date {
        self.date.unwrap_or_else(Date::today)
    }
}

/// A date, for formats with a date in the system message.
///
/// ```
/// use prompt_core::format::Date;
///
/// let day = Date { year: 2025, month: 7, day: 26 };
/// assert!(day < Date::today());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    /// The year.
    pub year: i32,
    /// The month, from 1.
    pub month: u32,
    /// The day of the month, from 1.
    pub day: u32,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Date {
    /// The current date in UTC.
    ///
    /// ```
    /// assert!(prompt_core::format::Date::today().year > 2024);
    /// ```
    pub fn today() -> Date {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let days = since.map_or(0, |since| since.as_secs() / 86_400);
        Date::of_days(i64::try_from(days).unwrap_or(0))
    }

    /// The date this many days after the first of January 1970.
    fn of_days(days: i64) -> Date {
        // Years that begin in March put the leap day last, so that every month has a fixed start.
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let march = (5 * of_year + 2) / 153;
        let month = if march < 10 { march + 3 } else { march - 9 };
        let narrow = |number: i64| i32::try_from(number).unwrap_or(0);
        Date {
            year: narrow(year + era * 400 + i64::from(month <= 2)),
            month: narrow(month).unsigned_abs(),
            day: narrow(of_year - (153 * march + 2) / 5 + 1).unsigned_abs(),
        }
    }

    /// Returns the month's English name. A month outside 1 to 12 counts as the nearest one.
    ///
    /// ```
    /// use prompt_core::format::Date;
    ///
    /// assert_eq!(Date { year: 2025, month: 7, day: 26 }.month_name(), "July");
    /// ```
    pub fn month_name(self) -> &'static str {
        let index = self.month.clamp(1, 12) - 1;
        MONTHS[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        let check = |days, year, month, day| {
            assert_eq!(Date::of_days(days), Date { year, month, day });
        };
        check(0, 1970, 1, 1);
        check(59, 1970, 3, 1);
        check(11_016, 2000, 2, 29);
        check(20_295, 2025, 7, 26);
        check(-1, 1969, 12, 31);
    }
}
