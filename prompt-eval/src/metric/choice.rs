use super::Metric;
use crate::{Error, Result};

/// 1 for the right choice out of some, wherever the answer names it.
///
/// ```
/// use prompt_eval::metric::{Choice, Metric};
///
/// let choice = Choice::new(["A", "B", "C", "D"]);
/// assert_eq!(choice.score("Because A is too small, the answer is (B).", "B"), 1.0);
/// assert_eq!(choice.find("A or B, I cannot say"), None);
/// assert_eq!(
///     choice.check("E").unwrap_err().to_string(),
///     "the right answer `E` is none of the choices `A`, `B`, `C`, `D`"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    labels: Vec<String>,
}

impl Choice {
    /// A choice out of these labels.
    pub fn new<L: Into<String>>(labels: impl IntoIterator<Item = L>) -> Choice {
        Choice {
            labels: labels.into_iter().map(Into::into).collect(),
        }
    }

    /// The choice that an answer names: alone, after words such as "the answer is", or as the only one.
    ///
    /// ```
    /// use prompt_eval::metric::Choice;
    ///
    /// let choice = Choice::new(["A", "B"]);
    /// assert_eq!(choice.find("**B**"), Some("B"));
    /// assert_eq!(choice.find("A Boy"), Some("A"));
    /// ```
    pub fn find(&self, answer: &str) -> Option<&str> {
        let bare = answer.trim().trim_matches(is_around);
        if let Some(label) = self.labels.iter().find(|label| **label == bare) {
            return Some(label);
        }
        let named = self.named(answer);
        for lead in LEADS {
            // The last conclusion counts.
            let places = answer
                .char_indices()
                .rev()
                .filter(|(at, _)| starts(&answer[*at..], lead));
            for (at, _) in places {
                let rest = answer[at + lead.len()..].trim_start_matches(is_between);
                let begin = answer.len() - rest.len();
                if let Some((_, label)) = named.iter().find(|(place, _)| *place == begin) {
                    return Some(label);
                }
            }
        }
        let first = named.first()?.1;
        let is_only = named.iter().all(|(_, label)| *label == first);
        // "A" is a word too: alone at the start it is a choice, before a word it is an article.
        is_only.then_some(first)
    }

    /// The labels that stand in a text as words of their own, with their places.
    fn named<'a>(&'a self, text: &str) -> Vec<(usize, &'a str)> {
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

/// Words that lead to a conclusion.
const LEADS: [&str; 9] = [
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

fn starts(text: &str, lead: &str) -> bool {
    text.get(..lead.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(lead))
}

fn is_around(char: char) -> bool {
    char.is_whitespace()
        || matches!(
            char,
            '.' | '(' | ')' | '[' | ']' | '*' | '`' | '"' | '\'' | ':' | '。' | '（' | '）'
        )
}

fn is_between(char: char) -> bool {
    is_around(char) || matches!(char, '{' | '\\' | '：')
}

impl Metric for Choice {
    fn name(&self) -> &str {
        "choice"
    }

    fn score(&self, answer: &str, gold: &str) -> f64 {
        f64::from(self.find(answer) == Some(gold.trim()))
    }

    fn check(&self, gold: &str) -> Result<()> {
        if self.labels.iter().any(|label| label == gold.trim()) {
            return Ok(());
        }
        let labels: Vec<String> = self
            .labels
            .iter()
            .map(|label| format!("`{label}`"))
            .collect();
        Err(Error::new(format!(
            "the right answer `{gold}` is none of the choices {}",
            labels.join(", ")
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::Choice;

    #[test]
    fn choices_of_answers() {
        let choice = Choice::new(["A", "B", "C", "D"]);
        let check = |answer: &str, expected: Option<&str>| {
            assert_eq!(choice.find(answer), expected, "{answer:?}");
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
