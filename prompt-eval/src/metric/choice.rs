//! Answers to multiple-choice questions.

use std::fmt;
use std::sync::Arc;

use prompt_core::Texts;
use prompt_output::Schema;
use serde_json::json;

use super::Metric;
use crate::DataError;
use crate::error::check_choice;

/// 1 if the answer is the correct choice.
///
/// An answer is read as that of an output type whose values are the labels: the label alone, also emphasized or in a fence, a labelled line, the first or
/// the last line. An answer in another form, or with several choices, is unscored. `typed_prompt::docs::answers` defines the forms.
///
/// ```
/// use typed_prompt::eval::metric::{Choice, Metric};
///
/// let choice = Choice::new(["A", "B", "C", "D"]);
/// assert_eq!(choice.score("**Answer:** B\n\nA is too small.", "B"), 1.0);
/// assert!(!choice.is_readable("A or B, I cannot say"));
/// assert_eq!(
///     choice.check_gold("E").unwrap_err().to_string(),
///     "the right answer `E` is none of the choices `A`, `B`, `C`, `D`"
/// );
/// ```
#[derive(Clone)]
pub struct Choice {
    labels: Vec<String>,
    /// `None` if the labels have no schema, as an empty list. Then no answer is read.
    schema: Option<Arc<Schema>>,
}

impl Choice {
    /// The labels of the choices. White space around a label is removed.
    pub fn new(labels: impl Texts) -> Choice {
        let mut different: Vec<String> = Vec::new();
        for label in labels.into_texts() {
            let label = label.trim();
            if different.iter().all(|other| other != label) {
                different.push(label.to_owned());
            }
        }
        let schema = Schema::new(&json!({ "enum": different })).ok();
        Choice {
            labels: different,
            schema: schema.map(Arc::new),
        }
    }

    /// The choice of an answer, if the answer has one of the forms.
    ///
    /// ```
    /// use typed_prompt::eval::metric::Choice;
    ///
    /// let choice = Choice::new(["A", "B"]);
    /// assert_eq!(choice.find_label("The answer is **B**."), Some("B"));
    /// assert_eq!(choice.find_label("It is not A."), None);
    /// ```
    pub fn find_label(&self, answer: &str) -> Option<&str> {
        let value = self.schema.as_ref()?.parse(answer).ok()?.value;
        let mut labels = self.labels.iter();
        labels
            .find(|label| value == label.as_str())
            .map(|label| &**label)
    }
}

impl Metric for Choice {
    fn name(&self) -> &str {
        "choice"
    }

    fn definition(&self) -> String {
        format!("choice ({})", self.labels.join(", "))
    }

    fn score(&self, answer: &str, gold: &str) -> f64 {
        f64::from(self.find_label(answer) == Some(gold.trim()))
    }

    fn is_readable(&self, answer: &str) -> bool {
        self.find_label(answer).is_some()
    }

    fn is_readable_truncated(&self, answer: &str) -> bool {
        let schema = self.schema.as_ref();
        schema.is_some_and(|schema| schema.parse_truncated(answer).is_ok())
    }

    fn check_gold(&self, gold: &str) -> Result<(), DataError> {
        check_choice(gold.trim(), gold, self.labels.iter().map(String::as_str))
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Choice").field(&self.labels).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Choice;

    #[test]
    fn choices_in_the_forms_are_read() {
        let choice = Choice::new(["A", "B", "C", "D", "A"]);
        for (answer, label) in [
            ("B", "B"),
            (" c\n", "C"),
            ("\"D\"", "D"),
            ("**B**.", "B"),
            ("$\\boxed{C}$", "C"),
            ("Answer: D", "D"),
            ("**Answer**: B\n\nA is wrong", "B"),
            ("The answer is **C**.", "C"),
            ("It is B.", "B"),
            ("B\nBecause A is too small.", "B"),
            ("A fails.\nAnswer: B", "B"),
            ("```\nA\n```", "A"),
        ] {
            assert_eq!(choice.find_label(answer), Some(label), "{answer:?}");
        }
    }

    #[test]
    fn other_answers_are_unscored() {
        let choice = Choice::new(["A", "B", "C", "D"]);
        for answer in [
            "",
            "no idea",
            "ABCD",
            "both A and D",
            "It is not A.",
            "The answer cannot be A.",
            "Not D",
            "A is incorrect.",
            "Eliminate A",
            "The answer is definitely not A",
            "The correct option is B. Option A is wrong because it is too small.",
            "Option A is too small. Therefore \\boxed{C}",
            "The best choice is C; option A fails.",
            "I choose C over option A.",
            "My choice: D. Option B is tempting.",
            "The answer is A or B.",
            "The answer is A and C",
            "The answer is A/B",
            "answer is B or C? It is C",
            "If the answer is A, then x=1, which is false. So B.",
            "The answer is C++",
            "A student asked.",
            "Vitamin A helps.",
            "C. A pretty girl",
            "The correct answer is d.",
            "(b)",
            "A fails. <answer>B</answer>",
            "故选C，A错误",
            "Answer: A\nAnswer: B",
        ] {
            assert_eq!(choice.find_label(answer), None, "{answer:?}");
        }
        let nothing = Choice::new([] as [&str; 0]);
        assert_eq!(nothing.find_label("A"), None);
        let spaced = Choice::new([" A", "A", " B\n"]);
        assert_eq!(spaced.find_label("B"), Some("B"));
        let notes = Choice::new(["none", "some"]);
        assert_eq!(notes.find_label("None"), Some("none"));
    }
}
