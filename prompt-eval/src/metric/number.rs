//! Numeric answers.

use std::sync::LazyLock;

use prompt_output::{ParseError, Parsed, Schema};
use serde_json::json;

use super::Metric;
use crate::DataError;

/// 1 if the answer is the correct number.
///
/// An answer is read as that of an output type that is a number: the number alone, also emphasized or in a fence, a labelled line, the first or the last line.
/// An answer in another form, with several numbers or with a unit is unscored. `typed_prompt::docs::answers` defines the forms, and
/// the notations of a number. For answers that end with their number, the extractions of other tools find it:
/// [`lm_eval`](super::lm_eval), [`opencompass`](super::opencompass).
///
/// ```
/// use typed_prompt::eval::metric::{Metric, Numeric};
///
/// assert_eq!(Numeric::new().score("3 + 4 makes 7.\n\n**Answer:** $1,007.00", "1007"), 1.0);
/// assert!(!Numeric::new().is_readable("It is 7 or 8."));
/// assert_eq!(Numeric::new().score("3.14", "3.14159"), 0.0);
/// assert_eq!(Numeric::within_relative(0.01).score("3.14", "3.14159"), 1.0);
/// assert_eq!(Numeric::within_absolute(1.0).score("11", "12"), 1.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Numeric {
    tolerance: Tolerance,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Tolerance {
    #[default]
    Exact,
    /// A share of the correct number.
    Relative(f64),
    Absolute(f64),
}

impl Numeric {
    /// Compares the exact number: whole numbers by all of their digits, and others as floats, whose notations may differ in the last bit.
    ///
    /// ```
    /// use typed_prompt::eval::metric::{Metric, Numeric};
    ///
    /// assert_eq!(Numeric::new().score("18446744073709551617", "18446744073709551616"), 0.0);
    /// assert_eq!(Numeric::new().score("0.5", "1/2"), 1.0);
    /// ```
    pub fn new() -> Numeric {
        Numeric::default()
    }

    /// Allows a relative difference: a share of the correct number, such as 0.01 for 1 %. It is less than 1: with a share of 1, the answers 0 and 24 are right for 12, and all
    /// between them.
    pub fn within_relative(share: f64) -> Numeric {
        Numeric {
            tolerance: Tolerance::Relative(share),
        }
    }

    /// Allows an absolute difference, in the unit of the numbers: with 1, the answers from 11 to 13 are right for 12.
    pub fn within_absolute(difference: f64) -> Numeric {
        Numeric {
            tolerance: Tolerance::Absolute(difference),
        }
    }
}

impl Metric for Numeric {
    fn name(&self) -> &str {
        "number"
    }

    fn definition(&self) -> String {
        match self.tolerance {
            Tolerance::Relative(share) if share > 0.0 => {
                format!("number (relative tolerance {share})")
            }
            Tolerance::Absolute(difference) if difference > 0.0 => {
                format!("number (absolute tolerance {difference})")
            }
            _ => "number".to_owned(),
        }
    }

    fn score(&self, answer: &str, gold: &str) -> f64 {
        let find = |text| find_number(text, Schema::parse);
        let (Some(answer), Some(gold)) = (find(answer), find(gold)) else {
            return 0.0;
        };
        let allowed = match self.tolerance {
            Tolerance::Exact => 0.0,
            Tolerance::Relative(share) => gold.float.abs() * share,
            Tolerance::Absolute(difference) => difference,
        };
        if let (Some(answer), Some(gold)) = (&answer.whole, &gold.whole)
            && allowed == 0.0
        {
            return f64::from(answer == gold);
        }
        // Different notations of a number may differ in the last bit.
        let allowed = allowed.max(gold.float.abs() * 1e-12);
        f64::from((answer.float - gold.float).abs() <= allowed)
    }

    fn is_readable(&self, answer: &str) -> bool {
        find_number(answer, Schema::parse).is_some()
    }

    fn is_readable_truncated(&self, answer: &str) -> bool {
        find_number(answer, Schema::parse_truncated).is_some()
    }

    fn check_gold(&self, gold: &str) -> Result<(), DataError> {
        match self.tolerance {
            Tolerance::Relative(share) if !(0.0..1.0).contains(&share) => {
                let message =
                    format!("the relative tolerance {share} is not a share from 0 to below 1");
                let help = "write a share of the correct number, such as `0.01` for 1 %, or `Numeric::within_absolute` for a difference";
                return Err(DataError::new(message).with_help(help));
            }
            Tolerance::Absolute(difference) if !(0.0..f64::INFINITY).contains(&difference) => {
                let message = format!("the absolute tolerance {difference} is not a number from 0");
                let help = "write the greatest difference that is right, such as `0.5`";
                return Err(DataError::new(message).with_help(help));
            }
            _ => {}
        }
        match find_number(gold, Schema::parse) {
            Some(_) => Ok(()),
            None => Err(
                DataError::new(format!("the right answer `{gold}` is not a number"))
                    .with_help("return the number alone, such as `1,234.5`"),
            ),
        }
    }
}

/// The number of an answer.
struct FoundNumber {
    /// The number, or the nearest float.
    float: f64,
    /// The digits of a whole number that is written without a fraction.
    whole: Option<String>,
}

/// The number of an answer, if the answer has one of the forms.
fn find_number(
    answer: &str,
    parse: fn(&Schema, &str) -> Result<Parsed, ParseError>,
) -> Option<FoundNumber> {
    let parsed = parse(number_schema()?, answer).ok()?;
    let float = parsed.value.as_f64()?;
    // A number beyond floats is rounded to the largest one.
    if parsed.is_rounded() && float.abs() == f64::MAX {
        return None;
    }
    // The value has a standard notation, except for one that is rounded.
    let written = match parsed.is_rounded() {
        true => parsed.json().into_owned(),
        false => parsed.value.to_string(),
    };
    let digits = written.strip_prefix('-').unwrap_or(&written);
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    Some(FoundNumber {
        float,
        whole: is_whole.then_some(written),
    })
}

fn number_schema() -> Option<&'static Schema> {
    static NUMBER: LazyLock<Option<Schema>> =
        LazyLock::new(|| Schema::new(&json!({"type": "number"})).ok());
    NUMBER.as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(answer: &str) -> Option<f64> {
        find_number(answer, Schema::parse).map(|number| number.float)
    }

    #[test]
    fn numbers_in_the_forms_are_read() {
        for (answer, number) in [
            ("42", 42.0),
            ("1,234,567", 1_234_567.0),
            ("-5", -5.0),
            ("−3.5", -3.5),
            ("-$12", -12.0),
            (".5", 0.5),
            ("1e3", 1000.0),
            ("1.234,56", 1234.56),
            ("1/2", 0.5),
            ("**7**.", 7.0),
            ("$\\boxed{-7}$", -7.0),
            ("It is 12.", 12.0),
            ("The answer is 12.", 12.0),
            ("3 + 4 = 7\n\nAnswer: 7", 7.0),
            ("12\nSince 3 times 4 is 12.", 12.0),
        ] {
            assert_eq!(found(answer), Some(number), "{answer:?}");
        }
    }

    /// A sign, a scale or a limit is never lost.
    #[test]
    fn other_answers_are_unscored() {
        for answer in [
            "",
            "none",
            "1,2,3",
            "10-5",
            "It is –3.",
            "x = - 5",
            "-\\$5",
            "- $5",
            "-US$5",
            "-{7}",
            "‐7",
            "﹣7",
            "($5)",
            "5 000",
            "1 234 567",
            "\\frac{1}{2}",
            "10^5",
            "1.5 × 10^3",
            "5 million",
            "72 [1]",
            "７２",
            "50%",
            "> 3",
            "5 apples",
            "3 or 4",
            "it is −3.5 °C.",
            "1e999",
            "NaN",
            "inf",
            "v1.2.3",
            "Answer: 3\nAnswer: 4",
        ] {
            assert_eq!(found(answer), None, "{answer:?}");
        }
        assert_eq!(found("-€5"), Some(-5.0));
        assert_eq!(found("-£5"), Some(-5.0));
    }

    #[test]
    fn whole_numbers_are_compared_by_their_digits() {
        for (answer, gold, score) in [
            ("18446744073709551616", "18446744073709551616", 1.0),
            ("18446744073709551617", "18446744073709551616", 0.0),
            ("-18446744073709551617", "18446744073709551617", 0.0),
            ("9007199254740993", "9007199254740992", 0.0),
            ("9,007,199,254,740,993", "9007199254740993", 1.0),
            ("1e3", "1000", 1.0),
            ("42.0", "42", 1.0),
        ] {
            assert_eq!(Numeric::new().score(answer, gold), score, "{answer}");
        }
        let near = Numeric::within_relative(1e-6);
        assert_eq!(
            near.score("18446744073709551617", "18446744073709551616"),
            1.0
        );
        for answer in ["1e400", "-1e400"] {
            for text in [answer.to_owned(), format!("{answer}\n")] {
                assert!(!Numeric::new().is_readable(&text));
                assert!(!Numeric::new().is_readable_truncated(&text));
            }
        }
    }

    #[test]
    fn tolerances_are_relative_or_absolute() {
        for wrong in [f64::NAN, f64::INFINITY, -0.1, 1.0, 5.0] {
            let error = Numeric::within_relative(wrong).check_gold("5").unwrap_err();
            let message =
                format!("the relative tolerance {wrong} is not a share from 0 to below 1");
            assert_eq!(error.message(), message);
            assert!(
                error
                    .help()
                    .is_some_and(|help| help.contains("within_absolute"))
            );
        }
        for wrong in [f64::NAN, f64::INFINITY, -0.1] {
            let error = Numeric::within_absolute(wrong).check_gold("5").unwrap_err();
            assert_eq!(
                error.message(),
                format!("the absolute tolerance {wrong} is not a number from 0")
            );
        }
        for (metric, gold, right, wrong) in [
            (Numeric::within_relative(0.0), "12", "12", "12.1"),
            (Numeric::within_relative(0.1), "12", "13.2", "13.3"),
            (Numeric::within_relative(0.1), "-12", "-10.8", "-10.7"),
            (Numeric::within_relative(0.1), "0", "0", "0.1"),
            (Numeric::within_absolute(0.0), "12", "12", "13"),
            (Numeric::within_absolute(1.0), "12", "11", "10.9"),
            (Numeric::within_absolute(1.0), "0", "-1", "1.1"),
            (Numeric::within_absolute(1.0), "144", "145", "20"),
        ] {
            metric.check_gold(gold).unwrap();
            assert_eq!(
                (metric.score(right, gold), metric.score(wrong, gold)),
                (1.0, 0.0),
                "{metric:?}"
            );
        }
        let definition = Numeric::within_absolute(0.5).definition();
        assert_eq!(definition, "number (absolute tolerance 0.5)");
    }
}
