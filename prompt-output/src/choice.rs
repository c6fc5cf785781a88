//! Values named in prose: which literal, or which boolean, a text names.
//!
//! Literals are compared from the most certain way to the least: the literal itself, another spelling, an alias, the description,
//! and then the only literal that occurs in the text. Where two literals match equally well, none is chosen.

use crate::lookahead::{window_after, window_before};
use crate::name::{fold_char, fold_name, is_one_of};
use crate::prose::{DECORATION, has_not, is_crossed_out, is_negated, prose_words};
use crate::repair::RepairKind;
use crate::types::ChoiceLiteral;

/// The result of looking for a literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum LiteralMatch {
    /// The index of the literal, and the repair.
    One(usize, Option<RepairKind>),
    /// The indexes of two literals that are both named.
    Several(usize, usize),
    /// The only one that is named follows a negation.
    Denied(usize),
    None,
}

/// Returns the literal that a text names.
pub(crate) fn find_literal(literals: &[ChoiceLiteral], text: &str) -> LiteralMatch {
    let text = text.trim();
    if let Some(index) = literals.iter().position(|literal| literal.text == text) {
        return LiteralMatch::One(index, None);
    }
    let name = fold_name(text);
    if name.is_empty() {
        return LiteralMatch::None;
    }
    let is_named = |literal: &str, folded: &str| {
        folded == name && signs_of(literal) == signs_of(text) || literal == text
    };
    let spelled = |literal: &ChoiceLiteral| is_named(&literal.text, &literal.folded.text);
    let alias = |literal: &ChoiceLiteral| {
        let mut aliases = literal.aliases.iter().zip(&literal.folded.aliases);
        aliases.any(|(alias, folded)| is_named(alias, folded))
    };
    let described = |literal: &ChoiceLiteral| is_described(literal, &name);
    let found = only_match(literals, RepairKind::ChoiceSpelling, spelled)
        .or_else(|| only_match(literals, RepairKind::ChoiceAlias, alias))
        .or_else(|| only_match(literals, RepairKind::ChoiceAlias, described));
    match found {
        Some(LiteralMatch::One(index, _)) if is_questioned(text) => LiteralMatch::Denied(index),
        Some(found) => found,
        None => find_in_text(literals, text),
    }
}

/// Whether a sign beside the letters of a text rejects or questions them.
pub(crate) fn is_questioned(text: &str) -> bool {
    let (start, end) = alphanumeric_extent(text);
    is_crossed_out(text, start, end)
}

/// The only literal that satisfies a test, or two of them, or none.
fn only_match(
    literals: &[ChoiceLiteral],
    how: RepairKind,
    test: impl Fn(&ChoiceLiteral) -> bool,
) -> Option<LiteralMatch> {
    let mut fitting = (0..literals.len()).filter(|&index| test(&literals[index]));
    let one = fitting.next()?;
    Some(match fitting.next() {
        None => LiteralMatch::One(one, Some(how)),
        Some(other) => LiteralMatch::Several(one, other),
    })
}

/// The description alone, or after the literal or its alias: `k1: the first`.
fn is_described(literal: &ChoiceLiteral, name: &str) -> bool {
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

/// The only literal that occurs in the text: first in its exact spelling, then in any spelling.
fn find_in_text(literals: &[ChoiceLiteral], text: &str) -> LiteralMatch {
    let words = split_words(text);
    for exactly in [true, false] {
        let mut hits: Vec<Hit> = Vec::new();
        for (index, literal) in literals.iter().enumerate() {
            let names = std::iter::once(&literal.text).chain(&literal.aliases);
            let folded = std::iter::once(&literal.folded.text).chain(&literal.folded.aliases);
            for (name, wanted) in names.zip(folded) {
                find_occurrences(text, &words, (name, wanted), exactly, index, &mut hits);
            }
        }
        match choose_literal(hits, text) {
            LiteralMatch::None => {}
            named => return named,
        }
    }
    LiteralMatch::None
}

/// An occurrence of a literal.
#[derive(Clone, Copy)]
struct Hit {
    literal: usize,
    start: usize,
    end: usize,
}

/// Drops literals that are part of a longer one (`SPAM` in `NOT SPAM`), and decides. Two different literals are never resolved by their
/// position: a model names the others to exclude them, before its choice or after it.
fn choose_literal(mut hits: Vec<Hit>, text: &str) -> LiteralMatch {
    hits.sort_by(|one, other| (one.start, other.end).cmp(&(other.start, one.end)));
    let mut widest: Option<Hit> = None;
    let mut named: Option<usize> = None;
    let mut denied = true;
    for hit in hits {
        if is_joined(text, hit.start, hit.end) || is_determiner(text, hit.start, hit.end) {
            continue;
        }
        if let Some(wide) = widest
            && hit.end <= wide.end
            && (hit.start, hit.end) != (wide.start, wide.end)
        {
            continue;
        }
        match named {
            Some(other) if other != hit.literal => {
                return LiteralMatch::Several(other, hit.literal);
            }
            _ => named = Some(hit.literal),
        }
        denied = denied && is_negated(text, hit.start, hit.end);
        widest = Some(hit);
    }
    match named {
        Some(index) if denied => LiteralMatch::Denied(index),
        Some(index) => LiteralMatch::One(index, Some(RepairKind::ChoiceInText)),
        None => LiteralMatch::None,
    }
}

/// Whether a part of a text is joined with letters on one side, like `negative` in `non-negative`, `pay` in `pay_later` and `a` in
/// `a|b`.
fn is_joined(text: &str, start: usize, end: usize) -> bool {
    let joins = |c: char| matches!(c, '-' | '_' | '‐' | '‑' | '–' | '/' | '|');
    let joined = |letters: &mut dyn Iterator<Item = char>| {
        letters.next().is_some_and(joins) && letters.next().is_some_and(char::is_alphanumeric)
    };
    joined(&mut text[..start].chars().rev()) || joined(&mut text[end..].chars())
}

/// The signs that belong to a part of a text, before and after it: the minus of `-1`, the fraction of `1.5`, and what follows the
/// letters of `A+`, `B-`, `C++` and `C#`.
fn adjacent_signs(text: &str, start: usize, end: usize) -> (&str, &str) {
    let (before, name) = (window_before(&text[..start], MAX_NUMBER), &text[start..end]);
    let after = window_after(&text[end..], MAX_NUMBER);
    let is_digit = |c: char| c.is_ascii_digit();
    let is_fraction = |c: char| is_digit(c) || matches!(c, '.' | ',');
    let is_minus = |c: char| matches!(c, '-' | '−');
    let mut head = before;
    if name.starts_with(is_digit) {
        let number = before.trim_end_matches(is_fraction);
        if before[number.len()..].starts_with(is_digit) {
            head = number;
        }
        if let Some(unsigned) = head.strip_suffix(is_minus)
            && !unsigned.ends_with(char::is_alphanumeric)
        {
            head = unsigned;
        }
    }
    let tail = if name.ends_with(is_digit) {
        match after.strip_prefix(['.', ',']) {
            Some(fraction) if fraction.starts_with(is_digit) => {
                after.trim_start_matches(is_fraction)
            }
            _ => after,
        }
    } else {
        let rest = after.trim_start_matches(['+', '#']);
        let unsigned = rest.trim_start_matches(is_minus);
        match name.chars().count() == 1 && !unsigned.starts_with(char::is_alphanumeric) {
            true => unsigned,
            false => rest,
        }
    };
    (&before[head.len()..], &after[..after.len() - tail.len()])
}

/// The longest number that is inspected on each side, in bytes.
const MAX_NUMBER: usize = 64;

/// The signs of a whole text.
fn signs_of(text: &str) -> (&str, &str) {
    let (start, end) = alphanumeric_extent(text);
    match start == end {
        true => ("", ""),
        false => adjacent_signs(text, start, end),
    }
}

/// From the first letter or digit of a text to the last.
fn alphanumeric_extent(text: &str) -> (usize, usize) {
    let end = text.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
    (text.find(char::is_alphanumeric).unwrap_or(end), end)
}

/// Whether a part of a text is the `no` of `no idea`, the `A` of `A cat` or the `I` of `I think`: not an answer, but a word about the
/// next one.
fn is_determiner(text: &str, start: usize, end: usize) -> bool {
    let next = text[end..].trim_start_matches(' ');
    is_one_of(&text[start..end], &["no", "a", "i"])
        && next.len() < text[end..].len()
        && next.starts_with(char::is_alphabetic)
        && prose_words(next).next().is_some_and(|(_, word)| {
            !has_not(word)
                && !is_one_of(
                    word,
                    &[
                        "because", "since", "as", "but", "and", "or", "for", "if", "when", "is",
                        "was",
                    ],
                )
        })
}

/// A run of letters and digits, with its folded form.
struct Word {
    start: usize,
    end: usize,
    folded: String,
}

fn split_words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut folded = String::new();
    for (at, letter) in text.char_indices() {
        folded.clear();
        fold_char(letter, &mut folded);
        let end = at + letter.len_utf8();
        match words.last_mut() {
            // A combining mark belongs to the letter before it.
            Some(last) if last.end == at && is_mark(letter) => last.end = end,
            _ if folded.is_empty() => {}
            Some(last)
                if last.end == at
                    && !is_single_char_word(letter)
                    && !last.ends_with_single_char_word(text) =>
            {
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
    fn ends_with_single_char_word(&self, text: &str) -> bool {
        text[self.start..self.end]
            .chars()
            .next_back()
            .is_some_and(is_single_char_word)
    }
}

fn is_mark(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// Scripts without spaces between words: each character is a word.
fn is_single_char_word(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

fn find_occurrences(
    text: &str,
    words: &[Word],
    (name, wanted): (&str, &str),
    exactly: bool,
    literal: usize,
    hits: &mut Vec<Hit>,
) {
    if wanted.is_empty() {
        // No letters: only the exact characters match.
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
    for (index, first) in words.iter().enumerate() {
        if !wanted.starts_with(&first.folded) {
            continue;
        }
        let mut length = 0;
        for (offset, word) in words[index..].iter().enumerate() {
            let near = offset == 0 || word.start - words[index + offset - 1].end <= MAX_WORD_GAP;
            if !near || !wanted[length..].starts_with(&word.folded) {
                break;
            }
            length += word.folded.len();
            if length < wanted.len() {
                continue;
            }
            let (start, end) = (first.start, word.end);
            let is_whole = adjacent_signs(text, start, end) == signs_of(name)
                && !is_pronoun(name, &text[start..end]);
            if is_whole && (!exactly || is_exact(text, start, end, name)) {
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

/// Whether a word may be another one than an abbreviation of two letters: `us` in a sentence is not `US`.
fn is_pronoun(name: &str, written: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase();
    name.len() == 2 && name.chars().all(is_capital) && !written.chars().any(is_capital)
}

/// The largest distance between the words of one literal, in bytes.
const MAX_WORD_GAP: usize = 2;

/// Whether the literal occurs in its exact spelling or with a capital letter, as at the beginning of a sentence, and not inside an
/// identifier.
fn is_exact(text: &str, start: usize, end: usize, name: &str) -> bool {
    let core = name.trim_matches(|c: char| !c.is_alphanumeric());
    let joined = |letter: Option<char>| letter == Some('_');
    let (written, mut letters) = (&text[start..end], core.chars());
    let mut is_capitalized = || {
        let mut capital = letters.next().into_iter().flat_map(char::to_uppercase);
        let mut written = written.chars();
        written.next() == capital.next() && written.as_str() == letters.as_str()
    };
    (written == core || is_capitalized())
        && !joined(text[..start].chars().next_back())
        && !joined(text[end..].chars().next())
}

/// Why a text names no boolean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum TruthError {
    Nothing,
    Both,
    /// `not true`
    Denied,
}

/// The boolean that a text names. `true` and `false` count anywhere as separate words; `yes` and `no` only as the answer and not
/// as part of a sentence (`there is no doubt`), that is at the beginning of a line or alone at its end. The other of the two at the
/// end of a sentence contradicts it: `Yes, but actually no.`
pub(crate) fn only_truth_value(text: &str) -> Result<bool, TruthError> {
    let (mut found, mut last_yes) = (None, None);
    let mut denied = false;
    for (start, word) in prose_words(text) {
        let end = start + word.len();
        let truth = match word.to_ascii_lowercase().as_str() {
            "true" => true,
            "false" => false,
            "yes" if stands_out(text, start, end) => true,
            "no" if stands_out(text, start, end) => false,
            "yes" if is_predicate(text, start, end) => true,
            "no" if is_predicate(text, start, end) => false,
            "yes" | "no" if ends_sentence(text, end) => {
                last_yes = Some(word.eq_ignore_ascii_case("yes"));
                continue;
            }
            _ => continue,
        };
        if is_joined(text, start, end) {
            continue;
        }
        if found.is_some_and(|other| other != truth) {
            return Err(TruthError::Both);
        }
        found = Some(truth);
        denied |= is_negated(text, start, end);
    }
    match found {
        Some(truth) if last_yes.is_some_and(|other| other != truth) => Err(TruthError::Both),
        Some(_) if denied => Err(TruthError::Denied),
        Some(truth) => Ok(truth),
        None => Err(TruthError::Nothing),
    }
}

/// Whether a word is set off from its sentence: first in its line and followed by punctuation, or alone after a colon.
fn stands_out(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].trim_end_matches(DECORATION);
    let after = text[end..].trim_start_matches(DECORATION);
    let begins = before.is_empty() || before.ends_with(['\n', ':', '.', '>', '{', '(']);
    let ends = after.is_empty()
        || after.starts_with([',', '.', '!', '\n', ';', ':', '<', '}', ')', '—', '–', '-']);
    begins && ends
}

/// Whether a word is the predicate of a sentence about the answer: `The answer is yes.`
fn is_predicate(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].trim_end_matches(DECORATION);
    ends_sentence(text, end)
        && ["answer is", "answer would be"]
            .iter()
            .any(|lead| before.ends_with(lead))
}

/// Whether a sentence ends after a word.
fn ends_sentence(text: &str, end: usize) -> bool {
    let after = text[end..].trim_start_matches(DECORATION);
    after.is_empty() || after.starts_with(['.', '!', '\n'])
}

#[cfg(test)]
mod choice_tests {
    use serde_json::json;

    use super::*;

    fn literals(texts: &[&str]) -> Vec<ChoiceLiteral> {
        let literal = |text: &&str| {
            let (text, aliases) = match text.split_once('=') {
                Some((text, alias)) => (text, vec![alias.to_owned()]),
                None => (*text, Vec::new()),
            };
            let description = format!("all about {text}");
            ChoiceLiteral::new(json!(text), text.to_owned(), aliases, Some(&description))
        };
        texts.iter().map(literal).collect()
    }

    fn check(texts: &[&str], cases: &[(&str, Option<&str>)]) {
        let literals = literals(texts);
        for (text, wanted) in cases {
            let found = match find_literal(&literals, text) {
                LiteralMatch::One(index, _) => Some(literals[index].text.as_str()),
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
                ("positive or mixed", None),
                ("mixed or positive", None),
                ("positive==false", None),
                ("positive: false", None),
                ("POSITIVE, not negative", Some("POSITIVE")),
                ("It is not positive", None),
                ("it isn't a positive one", None),
                ("anything but positive", None),
                ("Anything but positive", None),
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

#[cfg(test)]
mod prose_tests {
    use super::*;

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
            ("true or false", Err(TruthError::Both)),
            ("That is not true.", Err(TruthError::Denied)),
            ("It isn't true", Err(TruthError::Denied)),
            ("untrue", Err(TruthError::Nothing)),
            ("There is no way to say.", Err(TruthError::Nothing)),
        ] {
            assert_eq!(only_truth_value(text), truth, "{text}");
        }
    }
}
