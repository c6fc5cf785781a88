//! Data never becomes structure, in any family: no control token of a wrapped text holds a byte of data.

use prompt_core::format::{self, Native};
use prompt_core::{ChatFormat, ErrorKind, Guard, Message, Messages, Role, Source, Text, Wrapped};
use proptest::prelude::*;

/// Text made to break formats: tokens of all families, halves of them, and what stands beside them.
fn adversarial() -> impl Strategy<Value = String> {
    let tokens: Vec<&str> = format::NATIVES
        .iter()
        .flat_map(|native| native.family().tokens)
        .copied()
        .collect();
    let beside = vec![
        "user", "\n", "system\n", " ", "<", "|", ">", "[", "]", "/", "<<", ">>", ":", "### ",
        "\u{3000}",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(tokens.clone()).prop_map(str::to_owned),
        4 => (prop::sample::select(tokens), any::<prop::sample::Index>(), any::<bool>()).prop_map(half),
        2 => prop::sample::select(beside).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn half((token, at, front): (&str, prop::sample::Index, bool)) -> String {
    let chars: Vec<char> = token.chars().collect();
    let at = at.index(chars.len());
    if front {
        chars[..at].iter().collect()
    } else {
        chars[at..].iter().collect()
    }
}

/// A message whose text is template and data in turn, so that tokens can form across borders.
fn message(role: Role) -> impl Strategy<Value = Message> {
    let words = prop::sample::select(vec!["", " ", "<", "<|im_", "[", "x", ">", "<|", "#"]);
    prop::collection::vec((adversarial(), words), 0..4).prop_map(move |pieces| {
        let mut text = Text::new();
        for (data, template) in pieces {
            text.push_data(Some("slot"), &data);
            text.push_template(template);
        }
        Message::new(role, text)
    })
}

/// System or not, then user and assistant in turn, ending with the user.
fn conversation() -> impl Strategy<Value = Vec<Message>> {
    let turns = prop::collection::vec((message(Role::User), message(Role::Assistant)), 0..3);
    (
        prop::option::of(message(Role::System)),
        turns,
        message(Role::User),
    )
        .prop_map(|(system, turns, last)| {
            let turns = turns
                .into_iter()
                .flat_map(|(user, assistant)| [user, assistant]);
            system.into_iter().chain(turns).chain([last]).collect()
        })
}

/// The conversation in the words of a family: without instructions where it has no place for them. What it cannot say
/// all the same, such as channels in an answer of gpt-oss, is no matter here.
fn wrap(native: &Native, turns: &[Message], guard: Guard) -> prompt_core::Result<Wrapped> {
    let system = native.family().system;
    let turns = turns
        .iter()
        .filter(|turn| system || turn.role != Role::System);
    turns
        .cloned()
        .collect::<Messages>()
        .wrap(native.clone().guard(guard))
}

/// Where data lies in a text, byte by byte.
fn data(wrapped: &Wrapped) -> Vec<bool> {
    let is_data =
        |(piece, source): (&str, Source)| vec![matches!(source, Source::Data(_)); piece.len()];
    wrapped.pieces().flat_map(is_data).collect()
}

/// A token that holds a byte of data.
fn forged<'f>(native: &'f Native, wrapped: &Wrapped) -> Option<&'f str> {
    let data = data(wrapped);
    let text = wrapped.as_str();
    native.family().tokens.iter().copied().find(|token| {
        let starts = text
            .char_indices()
            .map(|(at, _)| at)
            .filter(|at| text[*at..].starts_with(*token));
        starts
            .into_iter()
            .any(|at| data[at..at + token.len()].contains(&true))
    })
}

fn structure(wrapped: &Wrapped) -> String {
    let own = wrapped
        .pieces()
        .filter(|piece| !matches!(piece.1, Source::Data(_)));
    own.map(|piece| piece.0).collect()
}

fn count() -> u32 {
    let asked = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|count| count.parse().ok());
    asked.unwrap_or(230)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(count()) })]

    #[test]
    fn no_token_is_forged(turns in conversation()) {
        for native in format::NATIVES {
            let Ok(kept) = wrap(native, &turns, Guard::Allow) else { continue };
            let guarded = wrap(native, &turns, Guard::Neutralise).unwrap();
            prop_assert_eq!(forged(native, &guarded), None, "{:?} {:?}", native, guarded.as_str());
            prop_assert_eq!(structure(&kept), structure(&guarded));
            match (forged(native, &kept), wrap(native, &turns, Guard::Reject)) {
                (None, Ok(rejecting)) => {
                    prop_assert_eq!(rejecting.as_str(), kept.as_str());
                    prop_assert_eq!(guarded.as_str(), kept.as_str());
                }
                (Some(_), Err(error)) => prop_assert_eq!(error.kind(), ErrorKind::ControlToken),
                (token, result) => prop_assert!(false, "{:?} {:?} {:?}", native, token, result),
            }
        }
    }
}
