//! The extractions of OpenCompass and AISBench, for figures that are compared with them.
//!
//! They are those of version 0.5.4, exactly: an answer that a person would read otherwise is read as there.

use prompt_base::digit::decimal_value;
use regex_lite::Regex;

use super::Metric;
use crate::DataError;
use crate::error::check_choice;

/// Returns the last number before `Question:`, as `gsm8k_postprocess` does.
///
/// ```
/// use typed_prompt::eval::metric::opencompass;
///
/// assert_eq!(opencompass::gsm8k_postprocess("It is $1,234."), "234");
/// assert_eq!(opencompass::gsm8k_postprocess("No idea."), "NULL");
/// ```
pub fn gsm8k_postprocess(answer: &str) -> &str {
    let text = answer.split("Question:").next().unwrap_or_default();
    let (mut at, mut last) = (0, "NULL");
    while at < text.len() {
        let start = at + usize::from(text[at..].starts_with('-'));
        let whole = start + digits_length(&text[start..]);
        if whole == start {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let decimals = text[whole..].strip_prefix('.').map_or(0, digits_length);
        let end = if decimals > 0 {
            whole + 1 + decimals
        } else {
            whole
        };
        last = &text[at..end];
        at = end;
    }
    last
}

/// How many bytes the digits at the beginning have.
fn digits_length(text: &str) -> usize {
    let digits = text
        .chars()
        .take_while(|char| decimal_value(*char).is_some());
    digits.map(char::len_utf8).sum()
}

/// The number with the digits of any script.
fn parse_number(text: &str) -> Option<f64> {
    let ascii: String = text
        .chars()
        .map(|char| {
            decimal_value(char)
                .and_then(|value| char::from_digit(value, 10))
                .unwrap_or(char)
        })
        .collect();
    ascii.parse().ok()
}

/// 1 if [`gsm8k_postprocess`] is the correct answer, which is given alone or after its calculation and `#### `.
///
/// ```
/// use typed_prompt::eval::metric::{Metric, opencompass::Gsm8k};
///
/// assert_eq!(Gsm8k.score("So he has 72.0 of them.", "6 * 12\n#### 72"), 1.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gsm8k;

impl Gsm8k {
    /// The correct answer as the dataset's reader returns it.
    fn gold_text(gold: &str) -> String {
        let mut parts = gold.split("#### ");
        let whole = parts.next().unwrap_or_default();
        parts.next().unwrap_or(whole).replace(',', "")
    }

    /// Python's `int` reads no fractions.
    fn gold_number(gold: &str) -> Option<f64> {
        let gold = gold.trim();
        let digits = gold.trim_start_matches(['-', '+']);
        let is_whole = gold.len() - digits.len() <= 1
            && !digits.is_empty()
            && digits_length(digits) == digits.len();
        if is_whole { parse_number(gold) } else { None }
    }
}

impl Metric for Gsm8k {
    fn name(&self) -> &str {
        "gsm8k"
    }

    fn definition(&self) -> String {
        "gsm8k (gsm8k_postprocess of OpenCompass 0.5.4)".to_owned()
    }

    fn score(&self, answer: &str, gold: &str) -> f64 {
        let (found, gold) = (gsm8k_postprocess(answer), Gsm8k::gold_text(gold));
        let is_near = || Some((parse_number(found)? - Gsm8k::gold_number(&gold)?).abs() < 1e-6);
        f64::from(found == gold || is_near() == Some(true))
    }

    /// The original scores every answer.
    fn is_readable(&self, _: &str) -> bool {
        true
    }

    fn check_gold(&self, gold: &str) -> Result<(), DataError> {
        let text = Gsm8k::gold_text(gold);
        match Gsm8k::gold_number(&text) {
            Some(_) => Ok(()),
            None => Err(DataError::new(format!(
                "the right answer `{text}` is not a whole number"
            ))),
        }
    }
}

/// 1 if `first_option_postprocess` finds the correct choice: the first of 50 patterns that matches decides.
///
/// ```
/// use typed_prompt::eval::metric::{Metric, opencompass::FirstOption};
///
/// let choice = FirstOption::new(['A', 'B', 'C', 'D']);
/// assert_eq!(choice.score("The answer is (B).", "B"), 1.0);
/// assert_eq!(choice.extract("It is not A."), Some('A'));
/// ```
#[derive(Clone, Debug)]
pub struct FirstOption {
    labels: Vec<char>,
    patterns: Vec<Regex>,
}

/// Python's `\s`, for a class.
const SPACE: &str = "\t\n\u{b}\u{c}\r\u{1c}-\u{1f} \u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}";

/// The patterns in their order. `@` is a class of the labels, `_` one of white space, and `~` white space inside of a class. The
/// missing comma of the original after `故选`, which joins two patterns, is kept.
const PATTERNS: [&str; 50] = [
    "答案是?_*(@)",
    "答案是?_*：_*(@)",
    "答案是?_*:_*(@)",
    "答案选项应?该?是_*(@)",
    "答案选项应?该?为_*(@)",
    "答案应该?是_*(@)",
    "答案应该?选_*(@)",
    "答案选项为?_*：_*(@)",
    r"答案选项为?_+\(?\*?\*?(@)\*?\*?\)?",
    "答案选项是?_*:_*(@)",
    "答案为_*(@)",
    "答案选_*(@)",
    "选择?_*(@)",
    "故选?_*(@)只有选?项?_?(@)_?是?对",
    "只有选?项?_?(@)_?是?错",
    "只有选?项?_?(@)_?不?正确",
    "只有选?项?_?(@)_?错误",
    "说法不?对选?项?的?是_?(@)",
    "说法不?正确选?项?的?是_?(@)",
    "说法错误选?项?的?是_?(@)",
    "(@)_?是正确的",
    "(@)_?是正确答案",
    "选项_?(@)_?正确",
    "所以答_?(@)",
    "所以_?(@[.。$]?$)",
    "所有_?(@[.。$]?$)",
    r"[~，：:,](@)[。，,\.]?$",
    r"[~，,：:][故即](@)[。\.]?$",
    r"[~，,：:]因此(@)[。\.]?$",
    r"[是为。]_?(@)[。\.]?$",
    r"因此_?(@)[。\.]?$",
    r"显然_?(@)[。\.]?$",
    "答案是_?([^~]+)(?:。|$)",
    "答案应该是_?([^~]+)(?:。|$)",
    "答案为_?([^~]+)(?:。|$)",
    "(?i)ANSWER_*:_*(@)",
    r"[Tt]he answer is:?_+\(?(@)\)?",
    r"[Tt]he answer is:?_+\(?\*?\*?(@)\*?\*?\)?",
    r"[Tt]he answer is option:?_+\(?(@)\)?",
    r"[Tt]he correct answer is:?_+\(?(@)\)?",
    r"[Tt]he correct answer is option:?_+\(?(@)\)?",
    r"[Tt]he correct answer is:?.*?boxed\{(@)\}",
    r"[Tt]he correct option is:?.*?boxed\{(@)\}",
    r"[Tt]he correct answer option is:?.*?boxed\{(@)\}",
    r"[Tt]he answer to the question is:?_+\(?(@)\)?",
    "^选项_?(@)",
    "^(@)_?选?项",
    r"(_|^)@[~。，,：:\.$]",
    "1._?(.*?)$",
    "1._?(@)[.。$]?$",
];

/// The last patterns, which match any label.
const CUSHION: [&str; 2] = ["(@):", "(@)"];

impl FirstOption {
    /// The labels of the choices, in their order.
    pub fn new(labels: impl IntoIterator<Item = char>) -> FirstOption {
        let labels: Vec<char> = labels.into_iter().collect();
        let escaped: String = labels
            .iter()
            .map(|label| regex_lite::escape(&label.to_string()))
            .collect();
        let patterns = PATTERNS.iter().chain(&CUSHION).map(|pattern| {
            let pattern = pattern
                .replace('@', &format!("[{escaped}]"))
                .replace('_', &format!("[{SPACE}]"))
                .replace('~', SPACE);
            // Without labels the class is empty, and nothing is found.
            Regex::new(&format!("(?s){pattern}"))
        });
        FirstOption {
            patterns: patterns.filter_map(Result::ok).collect(),
            labels,
        }
    }

    /// Returns the choice that `first_option_postprocess` finds.
    pub fn extract(&self, answer: &str) -> Option<char> {
        let text = answer.trim_matches(|char: char| {
            char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char)
        });
        self.patterns.iter().find_map(|pattern| {
            let found = pattern.captures(text)?;
            let group = found.get(1).map(|group| group.as_str());
            let found = group
                .filter(|group| !group.is_empty())
                .or(found.get(0).map(|whole| whole.as_str()))?;
            self.labels
                .iter()
                .copied()
                .find(|label| found.contains(*label))
        })
    }
}

impl Metric for FirstOption {
    fn name(&self) -> &str {
        "choice"
    }

    fn definition(&self) -> String {
        let labels: String = self.labels.iter().collect();
        format!("choice {labels} (first_option_postprocess of OpenCompass 0.5.4)")
    }

    fn score(&self, answer: &str, gold: &str) -> f64 {
        let found = self.extract(answer).map(String::from);
        f64::from(found.as_deref() == Some(gold.trim()))
    }

    /// The original scores every answer.
    fn is_readable(&self, _: &str) -> bool {
        true
    }

    fn check_gold(&self, gold: &str) -> Result<(), DataError> {
        let labels: Vec<String> = self.labels.iter().map(char::to_string).collect();
        check_choice(gold.trim(), gold, labels.iter().map(String::as_str))
    }
}
