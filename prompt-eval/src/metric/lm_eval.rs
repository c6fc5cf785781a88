//! The extractions of lm-evaluation-harness, for figures that are compared with it.
//!
//! Both are those of its task `gsm8k`, exactly as in version 0.4.13: an answer that a person would read otherwise is read as there.

use super::Metric;

/// Returns the number after the first `#### `, as the filter `strict-match` does.
///
/// ```
/// use typed_prompt::eval::metric::lm_eval;
///
/// assert_eq!(lm_eval::strict_match("6 * 12 = 72\n#### 72."), "72.");
/// assert_eq!(lm_eval::strict_match("It is 72."), "[invalid]");
/// ```
pub fn strict_match(answer: &str) -> &str {
    let after = answer
        .match_indices("#### ")
        .map(|(at, mark)| at + mark.len());
    let numbers = after.filter_map(|start| {
        let digits = start + sign_length(answer, start);
        let end = digits
            + run_length(answer, digits, |byte| {
                byte.is_ascii_digit() || b".,".contains(&byte)
            });
        (end > digits).then(|| &answer[start..end])
    });
    numbers.into_iter().next().unwrap_or(INVALID)
}

/// Returns the last number, or the last two signs that numbers consist of, as the filter `flexible-extract` does.
///
/// ```
/// use typed_prompt::eval::metric::lm_eval;
///
/// assert_eq!(lm_eval::flexible_extract("So it is $1,234."), "$1,234.");
/// assert_eq!(lm_eval::flexible_extract("It is 72. Well.."), "..");
/// ```
pub fn flexible_extract(answer: &str) -> &str {
    let (mut at, mut last) = (0, INVALID);
    while at < answer.len() {
        let start = at + sign_length(answer, at);
        let signs = run_length(answer, start, |byte| {
            byte.is_ascii_digit() || b"$.,".contains(&byte)
        });
        let digits = run_length(answer, start, |byte| byte.is_ascii_digit());
        let length = if signs >= 2 { signs } else { digits };
        if length > 0 {
            last = &answer[at..start + length];
            at = start + length;
        } else {
            at += answer[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    last
}

/// What the filters return where they find nothing.
const INVALID: &str = "[invalid]";

fn sign_length(text: &str, at: usize) -> usize {
    usize::from(text.as_bytes().get(at) == Some(&b'-'))
}

/// How many bytes from a position on are of a kind.
fn run_length(text: &str, at: usize, is_part: impl Fn(u8) -> bool) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    rest.iter().take_while(|byte| is_part(**byte)).count()
}

/// The comparison of the task's `exact_match`: commas, dollar signs, all text up to the last `#### ` and a full stop at the end are ignored.
fn is_match(extracted: &str, gold: &str) -> bool {
    let normalized = |text: &str| {
        let text = text.replace([',', '$'], "");
        let text = text.rsplit_once("#### ").map_or(&*text, |(_, after)| after);
        // Python's `$` also matches before a line break at the end.
        let (line, end) = text
            .strip_suffix('\n')
            .map_or((text, ""), |line| (line, "\n"));
        match text.strip_suffix('.') {
            Some(bare) => bare.to_lowercase(),
            None => format!("{}{end}", line.strip_suffix('.').unwrap_or(line)).to_lowercase(),
        }
    };
    normalized(extracted) == normalized(gold)
}

macro_rules! metrics {
    ($($(#[$doc:meta])* $name:ident $filter:literal $extract:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $name;

        impl Metric for $name {
            fn name(&self) -> &str {
                $filter
            }

            fn definition(&self) -> String {
                concat!($filter, " (gsm8k of lm-evaluation-harness 0.4.13)").to_owned()
            }

            fn score(&self, answer: &str, gold: &str) -> f64 {
                f64::from(is_match($extract(answer), gold))
            }

            /// The original scores every answer.
            fn is_readable(&self, _: &str) -> bool {
                true
            }
        }
    )*};
}

metrics! {
    /// 1 if [`strict_match`] is the correct answer, which is given alone or after its calculation and `#### `.
    ///
    /// ```
    /// use typed_prompt::eval::metric::{Metric, lm_eval::StrictMatch};
    ///
    /// assert_eq!(StrictMatch.score("#### 1,234", "2 * 617\n#### 1234"), 1.0);
    /// ```
    StrictMatch "strict-match" strict_match;
    /// 1 if [`flexible_extract`] is the correct answer, which is given alone or after its calculation and `#### `.
    ///
    /// ```
    /// use typed_prompt::eval::metric::{Metric, lm_eval::FlexibleExtract};
    ///
    /// assert_eq!(FlexibleExtract.score("It is $1,234.", "1234"), 1.0);
    /// ```
    FlexibleExtract "flexible-extract" flexible_extract;
}
