//! The guard finds what a search of every place finds.

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::format::FormatOptions;

/// Tokens of few letters, so that they overlap, stand inside each other and in any text.
const TOKENS: &[&str] = &[
    "ab", "aba", "bb", "<a>", "<a><b>", "a>", "[ab]", "[/ab]", "ab ba:", "é", "éa", "aé", "## ab:",
    "<<ab>>", "\na", "<|a|>", "<éb>",
];

/// Those that count in any case and with any white space. Each has a word that can be broken.
const LOOSE: &[&[&str]] = &[
    &[],
    &["[ab]", "[/ab]"],
    &["ab ba:"],
    &["## ab:", "<<ab>>"],
    &["[ab]", "<éb>", "éa"],
];

#[derive(Clone, Debug)]
struct Case {
    /// Of two slots, or of the template.
    pieces: Vec<(String, Option<&'static str>)>,
    tokens: Vec<&'static str>,
    loose: &'static [&'static str],
}

/// A token in another case, with white space before some of its letters.
fn spread() -> impl Strategy<Value = String> {
    let space = select(vec!["", "", "", " ", "  ", "\n\t ", "\u{3000}", "\u{b}"]);
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

/// Whose a piece of text is: a slot's, or the template's.
fn source() -> impl Strategy<Value = Option<&'static str>> {
    select(vec![None, Some("a"), Some("b")])
}

fn case() -> impl Strategy<Value = Case> {
    let letters = vec![
        "a", "b", "A", "B", "<", ">", "[", "]", "/", "|", ":", "#", " ", "\n", "\u{3000}", "é", "x",
    ];
    let part = prop_oneof![
        2 => select(letters).prop_map(str::to_owned),
        1 => select(TOKENS).prop_map(str::to_owned),
        1 => spread(),
    ];
    let text = prop::collection::vec(part, 1..5).prop_map(|parts| parts.concat());
    let cuts = prop::collection::vec((any::<Index>(), source()), 0..5);
    let tokens = prop::collection::vec(select(TOKENS), 1..5);
    (text, source(), cuts, tokens, select(LOOSE)).prop_map(
        |(text, first, cuts, mut tokens, loose)| {
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
            tokens.extend(loose);
            Case {
                pieces,
                tokens,
                loose,
            }
        },
    )
}

impl Case {
    fn family(&self) -> &'static Family {
        // One for each list of loose tokens.
        const FAMILIES: [Family; 5] = {
            let mut all = [Family::BARE; 5];
            let mut at = 0;
            while at < all.len() {
                all[at].loose = LOOSE[at];
                at += 1;
            }
            all
        };
        static ALL: [Family; 5] = FAMILIES;
        let at = LOOSE.iter().position(|loose| *loose == self.loose);
        &ALL[at.expect("one of them")]
    }

    fn wrapped(&self, guard: Guard) -> AnnotatedText {
        let mut out = AnnotatedText::new(FormatOptions {
            guard,
            ..FormatOptions::default()
        });
        for (piece, slot) in &self.pieces {
            out.push(
                piece,
                slot.map_or(Origin::Template, |slot| Origin::Data(Some(slot))),
            );
        }
        out
    }
}

/// The tokens that hold a byte of data, and of loose ones a letter: found by looking everywhere.
fn forged(wrapped: &AnnotatedText, tokens: &[&str], loose: &[&str]) -> Vec<Range<usize>> {
    let text = wrapped.as_str();
    let data: Vec<bool> = wrapped
        .pieces()
        .flat_map(|(piece, source)| vec![matches!(source, Origin::Data(_)); piece.len()])
        .collect();
    let mut found = Vec::new();
    for token in tokens.iter().filter(|token| token.chars().count() > 1) {
        for (start, _) in text.char_indices() {
            let is_loose = loose.contains(token);
            let end = match is_loose {
                true => loosely(&text[start..], token),
                false => text[start..].starts_with(token).then_some(token.len()),
            };
            let Some(end) = end.map(|len| start + len) else {
                continue;
            };
            let mut bytes = text[start..end].char_indices();
            let is_forged =
                bytes.any(|(at, letter)| data[start + at] && !(is_loose && letter.is_whitespace()));
            if is_forged {
                found.push(start..end);
            }
        }
    }
    found
}

/// How long the token is that a text begins with, letter by letter.
fn loosely(text: &str, token: &str) -> Option<usize> {
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
            at += text[at..].len() - text[at..].trim_start().len();
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
    fn no_token_is_missed_and_no_other_text_broken(case in case()) {
        let Case { tokens, loose, .. } = &case;
        let kept = case.wrapped(Guard::Allow);
        let forged_before = forged(&kept, tokens, loose);
        let rejected = apply(case.wrapped(Guard::Reject), tokens, case.family());
        prop_assert_eq!(rejected.is_err(), !forged_before.is_empty(), "{:?}", forged_before);
        let Ok(guarded) = apply(case.wrapped(Guard::Neutralise), tokens, case.family()) else {
            return Ok(());
        };
        let after = forged(&guarded, tokens, loose);
        prop_assert!(after.is_empty(), "{:?} in {:?}", after, guarded.as_str());
        prop_assert_eq!(forged_before.is_empty(), guarded == case.wrapped(Guard::Neutralise));
    }
}
