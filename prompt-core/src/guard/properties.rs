//! The search of the guard is correct: for random lists of tokens, it finds what a search at every position finds, and changes no other text.

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::format::FormatOptions;

/// Tokens of few letters, so that they overlap, contain each other and occur in any text.
const TOKENS: &[&str] = &[
    "ab", "aba", "bb", "<a>", "<a><b>", "a>", "[ab]", "[/ab]", "ab ba:", "é", "éa", "aé", "## ab:",
    "<<ab>>", "\na", "<|a|>", "<éb>", "a<", ":b",
];

/// Those that count in any case and with any white space. Each has a word that can be broken.
const LOOSE: &[&[&str]] = &[
    &[],
    &["[ab]", "[/ab]"],
    &["ab ba:"],
    &["## ab:", "<<ab>>"],
    &["[ab]", "<éb>", "éa"],
    &["\nab", " bb", "[ab]"],
];

const NUMBERED: &[&[Numbered]] = &[
    &[],
    &[Numbered::new("<a", ">")],
    &[Numbered::new("<|a", "b|>"), Numbered::new("ab", "a")],
];

#[derive(Clone, Debug)]
struct GuardCase {
    /// Of two slots, or of the template.
    pieces: Vec<(String, Option<&'static str>)>,
    tokens: Vec<&'static str>,
    loose: &'static [&'static str],
    numbered: &'static [Numbered],
}

/// A token in another case, with white space before some of its letters.
fn spread_token() -> impl Strategy<Value = String> {
    let space = select(vec![
        "",
        "",
        "",
        " ",
        "  ",
        "\n\t ",
        "\u{3000}",
        "\u{b}",
        "▁",
        "\u{202e}\0",
    ]);
    (
        select(TOKENS),
        any::<bool>(),
        prop::collection::vec(space, 8),
    )
        .prop_map(|(token, is_upper, spaces)| {
            let letters = token.chars().zip(spaces.iter().cycle());
            let letters = letters.map(|(letter, space)| match is_upper {
                true => format!("{space}{}", letter.to_ascii_uppercase()),
                false => format!("{space}{letter}"),
            });
            letters.collect()
        })
}

/// The source of a piece of text: a slot or the template.
fn slot_or_template() -> impl Strategy<Value = Option<&'static str>> {
    select(vec![None, Some("a"), Some("b")])
}

fn guard_case() -> impl Strategy<Value = GuardCase> {
    let letters = vec![
        "a",
        "b",
        "A",
        "B",
        "<",
        ">",
        "[",
        "]",
        "/",
        "|",
        ":",
        "#",
        " ",
        "\n",
        "\u{3000}",
        "é",
        "x",
        "1",
        "<a7",
        "<a1234567>",
        "ab22a",
        "<|a3b|>",
        "  ",
        "\u{200b}",
        "▁",
    ];
    let part = prop_oneof![
        2 => select(letters).prop_map(str::to_owned),
        1 => select(TOKENS).prop_map(str::to_owned),
        1 => spread_token(),
    ];
    let text = prop::collection::vec(part, 1..5).prop_map(|parts| parts.concat());
    let cuts = prop::collection::vec((any::<Index>(), slot_or_template()), 0..5);
    let tokens = prop::collection::vec(select(TOKENS), 1..5);
    let lists = (select(LOOSE), select(NUMBERED));
    (text, slot_or_template(), cuts, tokens, lists).prop_map(
        |(text, first, cuts, mut tokens, (loose, numbered))| {
            let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = |index: &Index| ends[index.index(ends.len())];
            let mut cuts: Vec<_> = cuts
                .iter()
                .map(|(index, slot)| (at(index), *slot))
                .collect();
            cuts.sort_unstable();
            let (mut pieces, mut start, mut slot) = (Vec::new(), 0, first);
            for (end, next) in cuts.into_iter().chain([(text.len(), None)]) {
                pieces.push((text[start..end].to_owned(), slot));
                (start, slot) = (end, next);
            }
            tokens.extend(loose.iter().map(|token| token.trim_start()));
            GuardCase {
                pieces,
                tokens,
                loose,
                numbered,
            }
        },
    )
}

impl GuardCase {
    fn control_tokens(&self) -> ControlTokens<'_> {
        ControlTokens {
            exact: ExactTokens::Listed(&self.tokens),
            numbered: self.numbered,
            loose: self.loose,
        }
    }

    /// The text after the guard, which is the same for tokens in a list and for sorted tokens.
    fn guard_text(&self, guard: Guard) -> Result<AnnotatedText> {
        let mut sorted: Vec<String> = self.tokens.iter().map(ToString::to_string).collect();
        sorted.sort();
        let sorted = self.control_tokens().exact(ExactTokens::Sorted(&sorted));
        let options = FormatOptions::new().guard(guard);
        let [listed, sorted] = [self.control_tokens(), sorted]
            .map(|tokens| apply(self.annotated_text(), tokens, "mine", &options));
        let text = |result: &Result<AnnotatedText>| match result {
            Ok(text) => format!("{text:?}"),
            Err(error) => format!("{error:#}"),
        };
        assert_eq!(text(&listed), text(&sorted));
        listed
    }

    fn annotated_text(&self) -> AnnotatedText {
        let mut out = AnnotatedText::new();
        // What is not data is the format's own text: a token in a template's text is an error.
        for (piece, slot) in &self.pieces {
            let source = slot.map_or(Origin::Structure, |slot| Origin::Data(Some(slot)));
            out.push(piece, source);
        }
        out
    }
}

/// Invisible characters of the cases.
const INVISIBLE: [char; 3] = ['\u{200b}', '\u{202e}', '\0'];

/// Whether a character of the cases may be between the words of a loose token.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || letter == '▁' || INVISIBLE.contains(&letter)
}

/// The tokens that contain a byte of data, and the loose ones that contain a letter of data, by a search at every position.
fn find_forged(wrapped: &AnnotatedText, case: &GuardCase) -> Vec<Range<usize>> {
    let text = wrapped.as_str();
    let data: Vec<bool> = wrapped
        .pieces()
        .flat_map(|(piece, source)| vec![matches!(source, Origin::Data(_)); piece.len()])
        .collect();
    let mut found = Vec::new();
    for (start, _) in text.char_indices() {
        let rest = &text[start..];
        let exact = case.tokens.iter().filter(|token| {
            token.chars().count() > 1 && !case.loose.contains(token) && rest.starts_with(**token)
        });
        let numbered = case.numbered.iter().filter_map(|token| token.find_in(rest));
        let numbered = numbered.filter(|range| range.start == 0);
        let ends = exact.map(|token| token.len());
        for end in ends.chain(numbered.map(|range| range.end)) {
            if data[start..start + end].contains(&true) {
                found.push(start..start + end);
            }
        }
        for token in case.loose {
            let before = text[..start].trim_end_matches(INVISIBLE);
            let line = text[..start]
                .trim_end_matches(|letter| is_gap(letter) && !['\n', '\u{b}'].contains(&letter));
            let may_begin = match token.chars().next() {
                Some('\n') => line.is_empty() || line.ends_with(['\n', '\u{b}']),
                Some(' ') => before.chars().next_back().is_none_or(is_gap),
                _ => true,
            };
            let end = match_loosely(rest, token.trim_start()).filter(|_| may_begin);
            let Some(end) = end else {
                continue;
            };
            let mut letters = text[start..start + end].char_indices();
            if letters.any(|(at, letter)| data[start + at] && !is_gap(letter)) {
                found.push(start..start + end);
            }
        }
    }
    found
}

/// Whether a token would be forged if some spaces of data were left out.
fn holds_broken(case: &GuardCase) -> bool {
    // Pieces of one slot are one range of data.
    let mut case = case.clone();
    case.pieces.retain(|piece| !piece.0.is_empty());
    case.pieces.dedup_by(|piece, last| {
        let is_same = piece.1 == last.1;
        if is_same {
            last.0.push_str(&piece.0);
        }
        is_same
    });
    let case = &case;
    let kept = case.annotated_text();
    let text = kept.as_str();
    let is_inside = |case: &GuardCase, at: usize| {
        let forged = find_forged(&case.annotated_text(), case);
        forged
            .iter()
            .any(|range| range.start < at && at < range.end)
    };
    let mut at = 0;
    for (index, (piece, slot)) in case.pieces.iter().enumerate() {
        for (start, _) in piece.match_indices(' ').filter(|_| slot.is_some()) {
            if start > 0 && text[..at + start].ends_with(' ') && piece[..start].ends_with(' ') {
                continue;
            }
            let mut without = case.clone();
            let rest = piece[start..].trim_start_matches(' ');
            without.pieces[index].0 = [&piece[..start], rest].concat();
            if is_inside(&without, at + start) {
                return true;
            }
        }
        at += piece.len();
    }
    false
}

/// The length of the token at the start of the text, compared letter by letter.
fn match_loosely(text: &str, token: &str) -> Option<usize> {
    let letters: Vec<char> = token.chars().collect();
    let mut at = 0;
    for (index, letter) in letters.iter().enumerate() {
        if letter.is_whitespace() {
            continue;
        }
        let before = index.checked_sub(1).map(|before| letters[before]);
        let is_inside =
            before.is_none_or(|before| before.is_alphanumeric() && letter.is_alphanumeric());
        if !is_inside {
            at += text[at..].len() - text[at..].trim_start_matches(is_gap).len();
        }
        let found = text[at..].chars().next()?;
        if !found.eq_ignore_ascii_case(letter) {
            return None;
        }
        at += found.len_utf8();
    }
    Some(at)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("CASES").map_or(4000, |count| count.parse().expect("a number")),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_token_is_missed_and_other_text_is_unchanged(case in guard_case()) {
        let kept = case.annotated_text();
        let forged_before = find_forged(&kept, &case);
        let rejected = case.guard_text(Guard::Reject);
        prop_assert_eq!(rejected.is_err(), !forged_before.is_empty(), "{:?}", forged_before);
        let Ok(guarded) = case.guard_text(Guard::Neutralise) else {
            return Ok(());
        };
        let after = find_forged(&guarded, &case);
        prop_assert!(after.is_empty(), "{:?} in {:?}", after, guarded.as_str());
        if guarded == case.annotated_text() {
            prop_assert!(forged_before.is_empty());
        } else {
            prop_assert!(!forged_before.is_empty() || holds_broken(&case), "{:?}", guarded.as_str());
        }
    }
}
