//! Answers to multiple-choice questions.

use super::Metric;
use crate::DataError;
use crate::error::check_choice;

/// 1 if the answer names the correct choice.
///
/// ```
/// use typed_prompt::eval::metric::{Choice, Metric};
///
/// let choice = Choice::new(["A", "B", "C", "D"]);
/// assert_eq!(choice.score("Because A is too small, the answer is (B).", "B"), 1.0);
/// assert_eq!(choice.find_label("A or B, I cannot say"), None);
/// assert_eq!(
///     choice.check_gold("E").unwrap_err().to_string(),
///     "the right answer `E` is none of the choices `A`, `B`, `C`, `D`"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    labels: Vec<String>,
}

impl Choice {
    /// The labels of the choices.
    pub fn new<L: Into<String>>(labels: impl IntoIterator<Item = L>) -> Choice {
        Choice {
            labels: labels.into_iter().map(Into::into).collect(),
        }
    }

    /// The choice of an answer: its whole text, the label after a phrase such as "the answer is", or the only label.
    ///
    /// ```
    /// use typed_prompt::eval::metric::Choice;
    ///
    /// let choice = Choice::new(["A", "B"]);
    /// assert_eq!(choice.find_label("**B**"), Some("B"));
    /// assert_eq!(choice.find_label("A Boy"), Some("A"));
    /// ```
    pub fn find_label(&self, answer: &str) -> Option<&str> {
        let bare = answer.trim().trim_matches(is_decoration);
        if let Some(label) = self.labels.iter().find(|label| **label == bare) {
            return Some(label);
        }
        let named = self.named_labels(answer);
        for phrase in PHRASES {
            // The last conclusion counts.
            let positions = answer
                .char_indices()
                .rev()
                .filter(|(at, _)| starts_with(&answer[*at..], phrase));
            for (at, _) in positions {
                let rest = answer[at + phrase.len()..].trim_start_matches(is_separator);
                let begin = answer.len() - rest.len();
                if let Some((_, label)) = named.iter().find(|(at, _)| *at == begin) {
                    return Some(label);
                }
            }
        }
        let first = named.first()?.1;
        let is_only = named.iter().all(|(_, label)| *label == first);
        is_only.then_some(first)
    }

    /// The labels that are words of a text, with their positions.
    fn named_labels<'a>(&'a self, text: &str) -> Vec<(usize, &'a str)> {
        let mut named = Vec::new();
        for label in self.labels.iter().filter(|label| !label.is_empty()) {
            for (at, _) in text.match_indices(&**label) {
                let before = text[..at].chars().next_back();
                let after = text[at + label.len()..].chars().next();
                let is_word = |char: Option<char>| {
                    char.is_some_and(|char| char.is_ascii_alphanumeric() || char == '_')
                };
                if !is_word(before) && !is_word(after) {
                    named.push((at, &**label));
                }
            }
        }
        named.sort_unstable();
        named
    }
}

/// Phrases before a conclusion.
const PHRASES: [&str; 9] = [
    "answer is",
    "answer:",
    "answer：",
    "option",
    "choice",
    "choose",
    "答案是",
    "答案为",
    "答案：",
];

fn starts_with(text: &str, phrase: &str) -> bool {
    text.get(..phrase.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(phrase))
}

fn is_decoration(char: char) -> bool {
    char.is_whitespace()
        || matches!(
            char,
            '.' | '(' | ')' | '[' | ']' | '*' | '`' | '"' | '\'' | ':' | '。' | '（' | '）'
        )
}

fn is_separator(char: char) -> bool {
    is_decoration(char) || matches!(char, '{' | '\\' | '：')
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

    fn check_gold(&self, gold: &str) -> Result<(), DataError> {
        check_choice(gold.trim(), gold, self.labels.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::Choice;

    #[test]
    fn choices_are_found_in_answers() {
        let choice = Choice::new(["A", "B", "C", "D"]);
        let check = |answer: &str, expected: Option<&str>| {
            assert_eq!(choice.find_label(answer), expected, "{answer:?}");
        };
        check("B", Some("B"));
        check(" (c) ", None);
        check("B. Because", Some("B"));
        check("The answer is **C**, not A.", Some("C"));
        check("Answer: D", Some("D"));
        check("first the answer is A. No, the answer is B.", Some("B"));
        check("答案是C。", Some("C"));
        check("选 D", Some("D"));
        check("ABCD", None);
        check("both A and D", None);
        check("no idea", None);
        check("", None);
        check("Émile: the answer is é", None);
    }
}
