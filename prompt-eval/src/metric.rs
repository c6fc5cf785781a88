//! How good an answer is.

mod choice;
mod number;

use crate::Result;

pub use choice::Choice;
pub use number::Numeric;

/// A measure of an answer against the right one, between 0 and 1.
///
/// ```
/// use prompt_eval::metric::Metric;
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
    /// What it is called in results and summaries.
    fn name(&self) -> &str;

    /// How good the answer is.
    fn score(&self, answer: &str, gold: &str) -> f64;

    /// Whether an answer can be measured against this one.
    ///
    /// # Errors
    /// A right answer that no model could give, such as a label that is no choice.
    fn check(&self, gold: &str) -> Result<()> {
        let _ = gold;
        Ok(())
    }
}

/// 1 for the same text, but for white space at its ends.
///
/// ```
/// use prompt_eval::metric::{ExactMatch, Metric};
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
    /// As it is written.
    pub fn new() -> ExactMatch {
        ExactMatch::default()
    }

    /// Without regard to case, punctuation, English articles, and how much white space there is.
    pub fn lenient() -> ExactMatch {
        ExactMatch { lenient: true }
    }
}

impl Metric for ExactMatch {
    fn name(&self) -> &str {
        "exact match"
    }

    fn score(&self, answer: &str, gold: &str) -> f64 {
        let same = if self.lenient {
            words(answer) == words(gold)
        } else {
            answer.trim() == gold.trim()
        };
        f64::from(same)
    }
}

/// How many words an answer shares with the right one: the harmonic mean of precision and recall, as SQuAD counts it.
///
/// ```
/// use prompt_eval::metric::{F1, Metric};
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
        let (answer, gold) = (words(answer), words(gold));
        if answer.is_empty() || gold.is_empty() {
            return f64::from(answer == gold);
        }
        let mut left = gold.clone();
        let shared = answer
            .iter()
            .filter(|word| {
                let place = left.iter().position(|other| other == *word);
                place.is_some_and(|place| !left.swap_remove(place).is_empty())
            })
            .count() as f64;
        2.0 * shared / (answer.len() + gold.len()) as f64
    }
}

/// Words in lower case without punctuation and English articles.
fn words(text: &str) -> Vec<String> {
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
