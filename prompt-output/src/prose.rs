//! A value in prose: what a sentence says, if it says it once and clearly.

use super::choice::is_denied;

/// Why a text says neither yes nor no.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Unsaid {
    Nothing,
    Both,
    /// `not true`
    Denied,
}

/// What a text says: `true` and `false` count wherever they stand as words of their own, `yes` and
/// `no` only where they are the answer and not part of a sentence (`there is no doubt`), which is
/// at the beginning of a line or alone at its end.
pub(super) fn only_truth(text: &str) -> Result<bool, Unsaid> {
    let mut said: Option<bool> = None;
    let mut denied = false;
    for (start, word) in words(text) {
        let end = start + word.len();
        let truth = match word.to_ascii_lowercase().as_str() {
            "true" => true,
            "false" => false,
            "yes" if stands_out(text, start, end) => true,
            "no" if stands_out(text, start, end) => false,
            _ => continue,
        };
        if said.is_some_and(|other| other != truth) {
            return Err(Unsaid::Both);
        }
        said = Some(truth);
        denied |= is_denied(&text[..start]);
    }
    match said {
        Some(_) if denied => Err(Unsaid::Denied),
        Some(truth) => Ok(truth),
        None => Err(Unsaid::Nothing),
    }
}

/// Whether a word is set off from the sentence: first in its line and followed by a mark, or alone
/// behind a colon.
fn stands_out(text: &str, start: usize, end: usize) -> bool {
    let decoration: &[char] = &['*', '_', '`', '"', '\'', '“', '”', ' ', '\t'];
    let before = text[..start].trim_end_matches(decoration);
    let after = text[end..].trim_start_matches(decoration);
    let begins = before.is_empty() || before.ends_with(['\n', ':', '.', '>', '{', '(']);
    let ends = after.is_empty()
        || after.starts_with([',', '.', '!', '\n', ';', ':', '<', '}', ')', '—', '–', '-']);
    begins && ends
}

/// The words of a text: letters, digits and `_` in a row, and where each begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let letter = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '’';
        let start = rest + text[rest..].find(letter)?;
        let end = text[start..]
            .find(|c| !letter(c))
            .map_or(text.len(), |length| start + length);
        rest = end;
        let word = text[start..end].trim_start_matches(['\'', '’']);
        Some((end - word.len(), word.trim_end_matches(['\'', '’'])))
    })
}

/// Phrases with which models refuse, at the beginning of an answer.
const REFUSALS: [&str; 16] = [
    "i'm sorry",
    "i am sorry",
    "sorry",
    "i can't",
    "i cannot",
    "i can not",
    "i won't",
    "i will not",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "i am not able",
    "as an ai",
    "i apologize",
    "i don't know",
    "unfortunately",
];

/// Whether a text begins as refusals do, so that nothing in it is an answer.
pub(super) fn refuses(text: &str) -> bool {
    let text = text.trim_start();
    // As all of them begin.
    if !text.starts_with(['i', 's', 'a', 'u', 'I', 'S', 'A', 'U']) {
        return false;
    }
    let start: String = text
        .chars()
        .take(20)
        .map(|letter| {
            if letter == '’' {
                '\''
            } else {
                letter.to_ascii_lowercase()
            }
        })
        .collect();
    REFUSALS.iter().any(|phrase| {
        start
            .strip_prefix(phrase)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use super::{Unsaid, only_truth, refuses};

    #[test]
    fn yes_or_no() {
        for (text, truth) in [
            ("The answer is true", Ok(true)),
            ("Answer: **True**", Ok(true)),
            (r"False.\n\nThe sum is 4, not 5.", Ok(false)),
            ("Yes.", Ok(true)),
            ("No, it does not.", Ok(false)),
            ("It is true, there is no doubt.", Ok(true)),
            ("Answer: no", Ok(false)),
            ("<answer>yes</answer>", Ok(true)),
            ("true or false", Err(Unsaid::Both)),
            ("That is not true.", Err(Unsaid::Denied)),
            ("It isn't true", Err(Unsaid::Denied)),
            ("untrue", Err(Unsaid::Nothing)),
            ("There is no way to say.", Err(Unsaid::Nothing)),
        ] {
            assert_eq!(only_truth(text), truth, "{text}");
        }
    }

    #[test]
    fn refusals() {
        assert!(refuses("I'm sorry, but I can't rate this from 1 to 10."));
        assert!(refuses("As an AI, I have 0 opinions."));
        assert!(!refuses("Sorrypoint: 5"));
        assert!(!refuses("The answer is 5."));
    }
}
