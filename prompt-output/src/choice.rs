//! Which of several literals a text names.
//!
//! From the surest way to the least sure: the literal itself, another spelling, an alias, the
//! description, and at last the only literal that occurs in the text. Wherever two literals fit
//! equally well, none is taken.

use super::name::{fold, fold_char};
use super::repair::RepairKind;
use super::shape::Literal;
use prompt_syntax::order::sort_by;

/// What naming a literal came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Named {
    /// The place of the literal, and what had to be overlooked.
    One(usize, Option<RepairKind>),
    /// The places of two literals that are both named.
    Several(usize, usize),
    /// The only one that is named comes after a `not`.
    Denied(usize),
    None,
}

/// The literal that a text names.
pub(super) fn find(literals: &[Literal], text: &str) -> Named {
    let text = text.trim();
    if let Some(place) = literals.iter().position(|literal| literal.text == text) {
        return Named::One(place, None);
    }
    let name = fold(text);
    if name.is_empty() {
        return Named::None;
    }
    let spelled = |literal: &Literal| literal.folded.text == name;
    let alias = |literal: &Literal| {
        let folded = &literal.folded.aliases;
        folded.contains(&name) || literal.aliases.iter().any(|alias| alias == text)
    };
    let described = |literal: &Literal| is_described(literal, &name);
    only(literals, RepairKind::ChoiceSpelling, spelled)
        .or_else(|| only(literals, RepairKind::ChoiceAlias, alias))
        .or_else(|| only(literals, RepairKind::ChoiceAlias, described))
        .unwrap_or_else(|| in_text(literals, text))
}

/// The literal that a test holds for, or two of them; nothing if there is none.
fn only(literals: &[Literal], how: RepairKind, test: impl Fn(&Literal) -> bool) -> Option<Named> {
    let mut fitting = (0..literals.len()).filter(|&place| test(&literals[place]));
    let one = fitting.next()?;
    Some(match fitting.next() {
        None => Named::One(one, Some(how)),
        Some(other) => Named::Several(one, other),
    })
}

/// The description alone, or after the literal or its alias: `k1: the first`.
fn is_described(literal: &Literal, name: &str) -> bool {
    let folded = &literal.folded;
    let Some(description) = folded
        .description
        .as_deref()
        .filter(|words| !words.is_empty())
    else {
        return false;
    };
    let Some(word) = name.strip_suffix(description) else {
        return false;
    };
    word.is_empty() || word == folded.text || folded.aliases.iter().any(|alias| alias == word)
}

/// The only literal whose words occur in the text: first exactly as they are, then in any
/// spelling.
fn in_text(literals: &[Literal], text: &str) -> Named {
    let words = words(text);
    for exactly in [true, false] {
        let mut hits: Vec<Hit> = Vec::new();
        for (place, literal) in literals.iter().enumerate() {
            let names = std::iter::once(&literal.text).chain(&literal.aliases);
            let folded = std::iter::once(&literal.folded.text).chain(&literal.folded.aliases);
            for (name, wanted) in names.zip(folded) {
                occurrences(text, &words, (name, wanted), exactly, place, &mut hits);
            }
        }
        match settle(hits, text) {
            Named::None => {}
            named => return named,
        }
    }
    Named::None
}

/// An occurrence of a literal.
#[derive(Clone, Copy)]
struct Hit {
    literal: usize,
    start: usize,
    end: usize,
}

/// Leaves out what is only part of a longer literal (`SPAM` in `NOT SPAM`), and decides.
fn settle(mut hits: Vec<Hit>, text: &str) -> Named {
    sort_by(&mut hits, |one, other| {
        (one.start, other.end).cmp(&(other.start, one.end))
    });
    let mut widest: Option<Hit> = None;
    let mut named: Option<usize> = None;
    let mut denied = true;
    for hit in hits {
        if let Some(wide) = widest
            && hit.end <= wide.end
            && (hit.start, hit.end) != (wide.start, wide.end)
        {
            continue;
        }
        match named {
            Some(other) if other != hit.literal => return Named::Several(other, hit.literal),
            _ => named = Some(hit.literal),
        }
        denied = denied && is_denied(&text[..hit.start]);
        widest = Some(hit);
    }
    match named {
        Some(place) if denied => Named::Denied(place),
        Some(place) => Named::One(place, Some(RepairKind::ChoiceInText)),
        None => Named::None,
    }
}

/// Whether the words before something deny it.
pub(super) fn is_denied(before: &str) -> bool {
    let tail: String = before.chars().rev().take(40).collect();
    let mut words = tail
        .split_whitespace()
        .map(|word| word.chars().rev().collect::<String>());
    let mut last = || words.next().unwrap_or_default().to_lowercase();
    let denies = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        matches!(
            word,
            "not" | "never" | "neither" | "nor" | "cannot" | "without"
        ) || word.ends_with("n't")
            || word.ends_with("n’t")
    };
    let (one, two) = (last(), last());
    denies(&one) || matches!(one.as_str(), "a" | "an" | "the" | "be" | "really") && denies(&two)
}

/// A run of letters and digits, with its folded form.
struct Word {
    start: usize,
    end: usize,
    folded: String,
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut folded = String::new();
    for (at, letter) in text.char_indices() {
        folded.clear();
        fold_char(letter, &mut folded);
        let end = at + letter.len_utf8();
        match words.last_mut() {
            // A mark that folds to nothing belongs to the letter before it.
            Some(last) if last.end == at && is_mark(letter) => last.end = end,
            _ if folded.is_empty() => {}
            Some(last) if last.end == at && !is_single(letter) && !last.is_single(text) => {
                last.folded.push_str(&folded);
                last.end = end;
            }
            _ => words.push(Word {
                start: at,
                end,
                folded: folded.clone(),
            }),
        }
    }
    words
}

impl Word {
    fn is_single(&self, text: &str) -> bool {
        text[self.start..self.end]
            .chars()
            .next_back()
            .is_some_and(is_single)
    }
}

fn is_mark(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// Scripts without spaces between words: each character counts as one.
fn is_single(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

fn occurrences(
    text: &str,
    words: &[Word],
    (name, wanted): (&str, &str),
    exactly: bool,
    literal: usize,
    hits: &mut Vec<Hit>,
) {
    if wanted.is_empty() {
        // No letters: only the very characters can be found.
        let found = text
            .match_indices(name)
            .filter(|_| exactly && !name.is_empty());
        hits.extend(found.map(|(start, name)| Hit {
            literal,
            start,
            end: start + name.len(),
        }));
        return;
    }
    for (place, first) in words.iter().enumerate() {
        if !wanted.starts_with(&first.folded) {
            continue;
        }
        let mut length = 0;
        for (offset, word) in words[place..].iter().enumerate() {
            let near = offset == 0 || word.start - words[place + offset - 1].end <= NEAR;
            if !near || !wanted[length..].starts_with(&word.folded) {
                break;
            }
            length += word.folded.len();
            if length < wanted.len() {
                continue;
            }
            let (start, end) = (first.start, word.end);
            if !exactly || is_exact(text, start, end, name) {
                hits.push(Hit {
                    literal,
                    start,
                    end,
                });
            }
            break;
        }
    }
}

/// How many bytes may stand between the words of one literal.
const NEAR: usize = 2;

/// Whether the literal stands there letter by letter, and not inside an identifier.
fn is_exact(text: &str, start: usize, end: usize, name: &str) -> bool {
    let core = name.trim_matches(|c: char| !c.is_alphanumeric());
    let joined = |letter: Option<char>| letter == Some('_');
    text[start..end] == *core
        && !joined(text[..start].chars().next_back())
        && !joined(text[end..].chars().next())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Literal, Named, find};

    fn literals(texts: &[&str]) -> Vec<Literal> {
        let literal = |text: &&str| {
            let (text, aliases) = match text.split_once('=') {
                Some((text, alias)) => (text, vec![alias.to_owned()]),
                None => (*text, Vec::new()),
            };
            let description = format!("all about {text}");
            Literal::new(json!(text), text.to_owned(), aliases, Some(&description))
        };
        texts.iter().map(literal).collect()
    }

    fn check(texts: &[&str], cases: &[(&str, Option<&str>)]) {
        let literals = literals(texts);
        for (text, wanted) in cases {
            let found = match find(&literals, text) {
                Named::One(place, _) => Some(literals[place].text.as_str()),
                _ => None,
            };
            assert_eq!(found, *wanted, "{text}");
        }
    }

    #[test]
    fn one_and_only_one() {
        check(
            &["POSITIVE", "NEGATIVE=neg"],
            &[
                ("POSITIVE", Some("POSITIVE")),
                ("positive.", Some("POSITIVE")),
                ("neg", Some("NEGATIVE")),
                ("The answer is **Positive**!", Some("POSITIVE")),
                ("POSITIVE: all about POSITIVE", Some("POSITIVE")),
                ("all about NEGATIVE", Some("NEGATIVE")),
                ("positive or negative", None),
                ("POSITIVE, not negative", Some("POSITIVE")),
                ("It is not positive", None),
                ("it isn't a positive one", None),
                ("positively", None),
                ("", None),
            ],
        );
    }

    #[test]
    fn a_longer_literal_hides_the_shorter_inside_it() {
        check(
            &["SPAM", "NOT_SPAM"],
            &[
                ("NOT_SPAM", Some("NOT_SPAM")),
                ("this is not spam", Some("NOT_SPAM")),
                ("SPAM", Some("SPAM")),
                ("SPAM or NOT_SPAM", None),
            ],
        );
        check(
            &["car", "car-2"],
            &[("car 2", Some("car-2")), ("not car or car-2!", None)],
        );
    }

    #[test]
    fn other_scripts() {
        check(
            &["café", "北京", "Привет"],
            &[
                ("CAFE", Some("café")),
                ("答案是北京。", Some("北京")),
                ("привет!", Some("Привет")),
            ],
        );
    }
}
