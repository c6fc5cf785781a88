//! Metrics of answers.

mod choice;
pub mod lm_eval;
mod number;
pub mod opencompass;

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
    /// assert_eq!(Numeric::within_relative(0.01).definition(), "number (relative tolerance 0.01)");
    /// ```
    fn definition(&self) -> String {
        self.name().to_owned()
    }

    /// The score of an answer, between 0 and 1.
    fn score(&self, answer: &str, gold: &str) -> f64;

    /// Whether the answer has a form that the metric reads: by default every answer that is not empty. Other answers are *unscored*: a
    /// report counts and lists them, and leaves them out of the mean.
    ///
    /// ```
    /// use typed_prompt::eval::metric::{Metric, Numeric};
    ///
    /// assert!(!Numeric::new().is_readable("I do not know."));
    /// ```
    fn is_readable(&self, answer: &str) -> bool {
        !answer.trim().is_empty()
    }

    /// The score of an answer, if the metric reads it. An empty answer is scored where the correct one is empty, too.
    ///
    /// ```
    /// use typed_prompt::eval::metric::{ExactMatch, Metric, Numeric};
    ///
    /// assert_eq!(Numeric::new().score_readable("I do not know.", "5"), None);
    /// assert_eq!(ExactMatch::new().score_readable("", "5"), None);
    /// assert_eq!(ExactMatch::new().score_readable("", ""), Some(1.0));
    /// ```
    fn score_readable(&self, answer: &str, gold: &str) -> Option<f64> {
        let is_empty = answer.trim().is_empty() && gold.trim().is_empty();
        (is_empty || self.is_readable(answer)).then(|| self.score(answer, gold))
    }

    /// Whether an answer that reached its maximum length has such a form, whatever would follow. By default as
    /// [`is_readable`](Metric::is_readable).
    ///
    /// ```
    /// use typed_prompt::eval::metric::{Choice, Metric, Numeric};
    ///
    /// // The next token may be a digit.
    /// assert!(!Numeric::new().is_readable_truncated("The answer is 12"));
    /// assert!(Choice::new(["refund", "pay later"]).is_readable_truncated("refund"));
    /// ```
    fn is_readable_truncated(&self, answer: &str) -> bool {
        self.is_readable(answer)
    }

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
/// assert_eq!(ExactMatch::lenient().score("-5", "5"), 0.0);
/// assert_eq!(ExactMatch::squad().score("-5", "5"), 1.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExactMatch {
    rule: TextRule,
}

/// Which texts are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum TextRule {
    #[default]
    Exact,
    Lenient,
    Squad,
}

impl ExactMatch {
    /// Compares the exact text.
    pub fn new() -> ExactMatch {
        ExactMatch::default()
    }

    /// Ignores case, repeated white space, English articles before other words, and punctuation around words: quotes, brackets, and
    /// `.`, `,`, `;`, `:`, `!`, `?` at their end. What distinguishes answers counts: `-5`, `5%`, `10.5`, `C++`.
    pub fn lenient() -> ExactMatch {
        ExactMatch {
            rule: TextRule::Lenient,
        }
    }

    /// The normalization of SQuAD's evaluation script, for figures that are compared with others: case, articles, white space, and all
    /// punctuation are removed. So `-5` equals `5`, `10.5` equals `105`, and `C++` equals `C`.
    pub fn squad() -> ExactMatch {
        ExactMatch {
            rule: TextRule::Squad,
        }
    }
}

impl Metric for ExactMatch {
    fn name(&self) -> &str {
        "exact match"
    }

    fn definition(&self) -> String {
        let rule = match self.rule {
            TextRule::Exact => "",
            TextRule::Lenient => " (lenient)",
            TextRule::Squad => " (SQuAD's normalization)",
        };
        format!("exact match{rule}")
    }

    fn score(&self, answer: &str, gold: &str) -> f64 {
        f64::from(match self.rule {
            TextRule::Exact => answer.trim() == gold.trim(),
            TextRule::Lenient => lenient_words(answer) == lenient_words(gold),
            TextRule::Squad => squad_words(answer) == squad_words(gold),
        })
    }

    /// SQuAD's script also scores an empty answer.
    fn is_readable(&self, answer: &str) -> bool {
        self.rule == TextRule::Squad || !answer.trim().is_empty()
    }
}

/// The harmonic mean of the precision and recall of the words of an answer, with the normalization of SQuAD's evaluation script.
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
        let (answer, gold) = (squad_words(answer), squad_words(gold));
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

    /// SQuAD's script also scores an empty answer.
    fn is_readable(&self, _: &str) -> bool {
        true
    }
}

const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// The words of a text in lowercase, without punctuation around them and without articles.
fn lenient_words(text: &str) -> Vec<String> {
    let is_opening = |char| {
        matches!(
            char,
            '"' | '\'' | '`' | '*' | '(' | '[' | '{' | '“' | '‘' | '«'
        )
    };
    let is_closing = |char| {
        matches!(
            char,
            '"' | '\'' | '`' | '*' | ')' | ']' | '}' | '”' | '’' | '»'
        ) || matches!(
            char,
            '.' | ',' | ';' | ':' | '!' | '?' | '。' | '，' | '！' | '？'
        )
    };
    let lower = text.to_lowercase();
    let words = lower.split_whitespace().map(|word| {
        let bare = word
            .trim_start_matches(is_opening)
            .trim_end_matches(is_closing);
        // An answer may be punctuation alone.
        if bare.is_empty() { word } else { bare }
    });
    let words: Vec<&str> = words.collect();
    // An article is one only before other words: `A` may be the answer.
    let last = words.len().saturating_sub(1);
    let words = words.iter().enumerate();
    words
        .filter(|(index, word)| *index == last || !ARTICLES.contains(word))
        .map(|(_, word)| (*word).to_owned())
        .collect()
}

/// The words after the normalization of SQuAD's script: lowercase, ASCII punctuation removed, articles between word boundaries removed.
fn squad_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let bare: String = lower
        .chars()
        .filter(|char| !char.is_ascii_punctuation())
        .collect();
    let mut out = String::with_capacity(bare.len());
    let mut rest = &*bare;
    while !rest.is_empty() {
        let length = rest
            .find(|char: char| !char.is_alphanumeric())
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        out.push_str(if ARTICLES.contains(&word) { " " } else { word });
        let between = after.find(char::is_alphanumeric).unwrap_or(after.len());
        out.push_str(&after[..between]);
        rest = &after[between..];
    }
    // Python's `split` also divides at the separators of ASCII.
    let is_space = |char: char| char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char);
    let words = out.split(is_space).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lenient_matches_keep_what_distinguishes_answers() {
        for (answer, gold) in [
            ("-5", "5"),
            ("10.5", "105"),
            ("C++", "C"),
            ("C#", "C"),
            ("5%", "5"),
            ("3-4", "34"),
            ("a", "the"),
            ("+", "-"),
            ("$5", "5"),
            (".5", "5"),
        ] {
            assert_eq!(
                ExactMatch::lenient().score(answer, gold),
                0.0,
                "{answer} {gold}"
            );
        }
        for (answer, gold) in [
            ("The  Paris.", "paris"),
            ("\"Paris\"", "Paris"),
            ("**-5**.", "-5"),
            ("(C++)", "C++"),
            ("the answer, a tree!", "answer tree"),
            ("A", "a"),
            ("“the end”", "end"),
        ] {
            assert_eq!(
                ExactMatch::lenient().score(answer, gold),
                1.0,
                "{answer} {gold}"
            );
        }
        for (answer, gold) in [
            ("-5", "5"),
            ("10.5", "105"),
            ("C++", "C"),
            ("a", "the"),
            ("the-cat", "thecat"),
        ] {
            assert_eq!(
                ExactMatch::squad().score(answer, gold),
                1.0,
                "{answer} {gold}"
            );
        }
    }
}
