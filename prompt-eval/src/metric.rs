//! Metrics of answers.

mod choice;
mod number;

use crate::DataError;

pub use choice::Choice;
pub use number::Numeric;

/// A metric that compares an answer with the correct one.
///
/// ```
/// use typed_prompt::eval::metric::Metric;
///
/// struct Contains;
///
/// impl Metric for Contains {
///     fn name(&self) -> &str {
///         "contains"
///     }
///
///     fn score(&self, answer: &str, gold: &str) -> f64 {
///         f64::from(answer.contains(gold))
///     }
/// }
///
/// assert_eq!(Contains.score("It is 42.", "42"), 1.0);
/// ```
pub trait Metric: Send + Sync {
    /// The name of the metric in results and reports.
    fn name(&self) -> &str;

    /// The name, with what the score depends on. A results file records it.
    ///
    /// ```
    /// use typed_prompt::eval::metric::{Metric, Numeric};
    ///
    /// assert_eq!(Numeric::within(0.01).definition(), "number (tolerance 0.01)");
    /// ```
    fn definition(&self) -> String {
        self.name().to_owned()
    }

    /// The score of an answer, between 0 and 1.
    fn score(&self, answer: &str, gold: &str) -> f64;

    /// Validates the correct answer.
    ///
    /// # Errors
    /// No answer could match it, for example because its label is not a choice.
    fn check_gold(&self, gold: &str) -> Result<(), DataError> {
        let _ = gold;
        Ok(())
    }
}

/// 1 for the same text, except for leading and trailing white space.
///
/// ```
/// use typed_prompt::eval::metric::{ExactMatch, Metric};
///
/// assert_eq!(ExactMatch::new().score(" Paris\n", "Paris"), 1.0);
/// assert_eq!(ExactMatch::new().score("paris.", "Paris"), 0.0);
/// assert_eq!(ExactMatch::lenient().score("The paris.", "Paris"), 1.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExactMatch {
    lenient: bool,
}

impl ExactMatch {
    /// Compares the exact text.
    pub fn new() -> ExactMatch {
        ExactMatch::default()
    }

    /// Ignores case, punctuation, English articles and repeated white space.
    pub fn lenient() -> ExactMatch {
        ExactMatch { lenient: true }
    }
}

impl Metric for ExactMatch {
    fn name(&self) -> &str {
        "exact match"
    }

    fn definition(&self) -> String {
        match self.lenient {
            true => "exact match (lenient)".to_owned(),
            false => "exact match".to_owned(),
        }
    }

    fn score(&self, answer: &str, gold: &str) -> f64 {
        let same = if self.lenient {
            normalized_words(answer) == normalized_words(gold)
        } else {
            answer.trim() == gold.trim()
        };
        f64::from(same)
    }
}

/// The harmonic mean of the precision and recall of the words of an answer, as for SQuAD.
///
/// ```
/// use typed_prompt::eval::metric::{F1, Metric};
///
/// assert_eq!(F1.score("the red house", "red house"), 1.0);
/// assert_eq!(F1.score("red car", "red house"), 0.5);
/// assert_eq!(F1.score("", "red house"), 0.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct F1;

impl Metric for F1 {
    fn name(&self) -> &str {
        "F1"
    }

    fn score(&self, answer: &str, gold: &str) -> f64 {
        let (answer, gold) = (normalized_words(answer), normalized_words(gold));
        if answer.is_empty() || gold.is_empty() {
            return f64::from(answer == gold);
        }
        let mut left = gold.clone();
        let shared = answer
            .iter()
            .filter(|word| {
                let index = left.iter().position(|other| other == *word);
                index.map(|index| left.swap_remove(index)).is_some()
            })
            .count() as f64;
        2.0 * shared / (answer.len() + gold.len()) as f64
    }
}

/// The words of a text in lowercase, without punctuation and English articles.
fn normalized_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let bare: String = lower
        .chars()
        .filter(|char| !char.is_ascii_punctuation())
        .collect();
    let words = bare.split_whitespace();
    words
        .filter(|word| !["a", "an", "the"].contains(word))
        .map(str::to_owned)
        .collect()
}
