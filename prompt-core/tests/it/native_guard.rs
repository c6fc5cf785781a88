//! Data never becomes structure, in random conversations of every family: no control token of a wrapped text contains a byte of data, the
//! text is parsed back to the same roles and turns, the guard inserts only spaces into data, and `Guard::Reject` is an error where it would.
//!
//! `CONVERSATIONS=1000000 cargo test --release -p prompt-core --test it native_guard` generates as many.

mod hostile;

use prompt_core::format::{self, Family, NativeFormat};
use prompt_core::{
    AnnotatedText, ChatFormat, ErrorKind, Guard, Message, Messages, Origin, Role, Text, Tool,
    ToolCall,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

pub(crate) use self::hostile::adversarial;
use self::hostile::conversation;
use crate::long;

/// The conversation in the format of a family, without instructions and tools if the family does not support them. Other content that it
/// does not support, such as channels in an answer of gpt-oss, is irrelevant here.
fn sayable(native: &NativeFormat, messages: &Messages) -> Messages {
    let family = native.family();
    let says = |turn: &&Message| match turn.role {
        Role::System => family.system,
        Role::Tool => family.tools,
        _ => family.tools || turn.tool_calls.is_empty(),
    };
    let mut turns: Vec<Message> = messages.iter().filter(says).cloned().collect();
    for turn in &mut turns {
        // A speaker's name beside a result is the tool's, and no family writes it.
        turn.name = None;
    }
    let tools = messages.tools().iter().filter(|_| family.tools).cloned();
    tools.fold(turns.into(), Messages::with_tool)
}

fn wrap(
    native: &NativeFormat,
    messages: &Messages,
    guard: Guard,
) -> prompt_core::Result<AnnotatedText> {
    messages.to_annotated_text((*native).guard(guard))
}

/// Whether each byte of a text is data.
fn data(wrapped: &AnnotatedText) -> Vec<bool> {
    let is_data =
        |(piece, source): (&str, Origin)| vec![matches!(source, Origin::Data(_)); piece.len()];
    wrapped.pieces().flat_map(is_data).collect()
}

/// A token that contains a byte of data.
fn forged(native: &NativeFormat, wrapped: &AnnotatedText) -> Option<String> {
    forged_in(native.family(), wrapped.as_str(), &data(wrapped))
}

fn forged_in(family: &Family, text: &str, data: &[bool]) -> Option<String> {
    let holds_data = |start: usize, end: usize| data[start..end].contains(&true);
    let exact = family
        .tokens
        .iter()
        .filter(|token| !family.loose.contains(token));
    let mut exact = exact.flat_map(|token| text.match_indices(*token));
    let found = exact.find(|(at, token)| holds_data(*at, at + token.len()));
    if let Some((_, token)) = found {
        return Some(token.to_owned());
    }
    for token in family.numbered {
        let starts = text.match_indices(token.prefix).map(|(at, _)| at);
        let ranges = starts.filter_map(|at| Some((at, token.find_in(&text[at..])?)));
        let mut ranges = ranges.filter(|(_, range)| range.start == 0);
        if ranges.any(|(at, range)| holds_data(at, at + range.end)) {
            return Some(token.to_string());
        }
    }
    let spaced: Vec<(usize, char)> = text
        .char_indices()
        .filter(|(_, letter)| !is_gap(*letter))
        .collect();
    let mut loose = family.loose.iter();
    let found = loose.find(|token| is_loose(token, text, &spaced, data));
    found.map(ToString::to_string)
}

/// White space, the `▁` that SentencePiece writes for a space, and characters that are not shown.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || letter == '▁' || is_invisible(letter)
}

/// The characters that are not shown, of those that the inputs contain.
fn is_invisible(letter: char) -> bool {
    letter == '\u{200b}' || letter.is_control() && !letter.is_whitespace()
}

/// Whether a text contains the letters of a token, in any case, ignoring gaps except inside words.
fn is_loose(token: &str, text: &str, spaced: &[(usize, char)], data: &[bool]) -> bool {
    let mut words = token
        .split_whitespace()
        .flat_map(|word| word.chars().enumerate());
    let letters: Vec<(bool, char)> =
        std::iter::from_fn(|| words.next().map(|(at, letter)| (at == 0, letter))).collect();
    spaced.windows(letters.len()).any(|found| {
        let same = found
            .iter()
            .zip(&letters)
            .all(|(found, letter)| found.1.eq_ignore_ascii_case(&letter.1));
        let whole = |at: usize| {
            let (before, after) = (found[at - 1], found[at]);
            let inside = !letters[at].0 && before.1.is_alphanumeric() && after.1.is_alphanumeric();
            !inside || before.0 + before.1.len_utf8() == after.0
        };
        let before = text[..found[0].0].trim_end_matches(is_invisible);
        let starts = match token.chars().next() {
            Some('\n') => {
                let breaks = [
                    '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
                ];
                let line =
                    before.trim_end_matches(|letter| is_gap(letter) && !breaks.contains(&letter));
                line.is_empty() || line.ends_with(breaks)
            }
            Some(' ') => before.is_empty() || before.ends_with(is_gap),
            _ => true,
        };
        let holds_data = found.iter().any(|(at, _)| data[*at]);
        starts && same && (1..found.len()).all(whole) && holds_data
    })
}

/// Whether the guarded text differs from the other because data contains a token that is already divided by spaces.
fn escapes_broken(native: &NativeFormat, kept: &AnnotatedText, guarded: &AnnotatedText) -> bool {
    let text = kept.as_str();
    let same = text.bytes().zip(guarded.as_str().bytes());
    let end = same.take_while(|(one, other)| one == other).count();
    let start = text[..end].trim_end_matches(' ').len();
    let mut is_data = data(kept);
    is_data.drain(start..end);
    let joined = [&text[..start], &text[end..]].concat();
    start < end && forged_in(native.family(), &joined, &is_data).is_some()
}

fn structure(wrapped: &AnnotatedText) -> String {
    let own = wrapped
        .pieces()
        .filter(|piece| !matches!(piece.1, Origin::Data(_)));
    own.map(|piece| piece.0).collect()
}

/// The guarded text is the other with spaces in it.
fn differs_in_spaces(kept: &str, guarded: &str) -> bool {
    let mut kept = kept.chars().peekable();
    let same = guarded
        .chars()
        .all(|letter| kept.next_if_eq(&letter).is_some() || letter == ' ');
    same && kept.next().is_none()
}

/// White space that Python's `str.strip` removes, as most templates do.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

/// The same conversation without any text that resembles structure.
fn harmless(messages: &Messages) -> Messages {
    let harmless = |message: &Message| {
        let mut message = message.clone();
        if !message.text().chars().all(is_space) {
            message.parts = Message::user("x").parts;
        }
        for call in &mut message.tool_calls {
            *call = ToolCall::new("call00001", "x", r#"{"x": "x"}"#);
        }
        message
    };
    let turns: Messages = messages.iter().map(harmless).collect();
    messages
        .tools()
        .iter()
        .fold(turns, |turns, _| turns.with_tool(Tool::new("x")))
}

fn roles(native: &NativeFormat, text: &str) -> Vec<Role> {
    let turns = native
        .parse(text)
        .unwrap_or_else(|error| panic!("{native:?} {error:#} {text:?}"));
    turns.iter().map(|turn| turn.role).collect()
}

/// Whether instructions contain a word that the family's template interprets as a command. In data, it has no effect.
fn switched(native: &NativeFormat, messages: &Messages) -> bool {
    let system = messages.iter().find(|turn| turn.role == Role::System);
    let text = system
        .map(|turn| turn.text().into_owned())
        .unwrap_or_default();
    let switches = ["/think", "/no_think", "/system_override"];
    native.family().name == "smollm3" && switches.iter().any(|word| text.contains(word))
}

/// The guarded text differs from the other only by a space inside each token.
fn compare(
    native: &NativeFormat,
    messages: &Messages,
    kept: &AnnotatedText,
    guarded: &AnnotatedText,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(structure(kept), structure(guarded));
    prop_assert!(
        differs_in_spaces(kept.as_str(), guarded.as_str()),
        "{:?} {:?}",
        native,
        guarded.as_str()
    );
    match (forged(native, kept), wrap(native, messages, Guard::Reject)) {
        (None, Ok(rejecting)) => {
            prop_assert_eq!(rejecting.as_str(), kept.as_str());
            let is_same = guarded.as_str() == kept.as_str();
            prop_assert!(
                is_same || escapes_broken(native, kept, guarded),
                "{:?}",
                guarded.as_str()
            );
        }
        (Some(_), Err(error)) => {
            prop_assert_eq!(error.kind(), ErrorKind::ControlToken);
            // Tools and calls are in no slot.
            let has_tools = !messages.tools().is_empty()
                || messages.iter().any(|turn| !turn.tool_calls.is_empty());
            let is_located = error.message_index().is_some() && error.slot() == Some("slot");
            prop_assert!(has_tools || is_located, "{:?} {:?}", native, error);
        }
        // Tags are structure in the definitions of tools alone: the family's tokens do not contain them.
        (None, Err(error)) if !messages.tools().is_empty() && names_a_tag(&error) => {
            prop_assert!(guarded.as_str() != kept.as_str());
        }
        (token, result) => prop_assert!(false, "{:?} {:?} {:?}", native, token, result),
    }
    Ok(())
}

/// Whether the token in an error's message is a tag, such as `<tool>`.
fn names_a_tag(error: &prompt_core::Error) -> bool {
    let token = error.message().split('`').nth(1).unwrap_or_default();
    let name = token
        .strip_prefix('<')
        .and_then(|tag| tag.strip_suffix('>'));
    let name = name.map(|name| name.trim_start_matches('/'));
    name.is_some_and(|name| {
        name.chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == '_')
    })
}

fn check(native: &NativeFormat, messages: &Messages) -> Result<(), TestCaseError> {
    let messages = sayable(native, messages);
    let Ok(kept) = wrap(native, &messages, Guard::Allow) else {
        return Ok(());
    };
    let guarded = wrap(native, &messages, Guard::Neutralise).unwrap();
    prop_assert_eq!(
        forged(native, &guarded),
        None,
        "{:?} {:?}",
        native,
        guarded.as_str()
    );
    if !switched(native, &messages) {
        compare(native, &messages, &kept, &guarded)?;
    }
    let harmless = wrap(native, &harmless(&messages), Guard::Reject).unwrap();
    prop_assert_eq!(
        roles(native, guarded.as_str()),
        roles(native, harmless.as_str()),
        "{:?} {:?}",
        native,
        guarded.as_str()
    );
    Ok(())
}

fn cases() -> u32 {
    let asked = std::env::var("CONVERSATIONS")
        .ok()
        .and_then(|count| count.parse::<u32>().ok());
    asked.unwrap_or(10_000).div_ceil(44)
}

/// A slow property has this part of the cases: a tenth in a debug build, and all in an optimised one.
const PART: u32 = if cfg!(debug_assertions) { 10 } else { 1 };

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 4_000,
        ..ProptestConfig::with_cases(cases())
    })]

    #[test]
    fn no_token_is_forged(messages in conversation()) {
        for native in format::MODEL_FORMATS {
            check(native, &messages)?;
        }
    }
}

/// Data in which tokens are whole, cut, spaced, spelled in another case and next to each other.
fn tokens_in_data(native: &NativeFormat) -> impl Strategy<Value = String> + use<> {
    let family = native.family();
    let numbered = family
        .numbered
        .iter()
        .map(|token| token.to_string().replace('N', "7"));
    let exact = family.tokens.iter().map(ToString::to_string);
    let loose = family.loose.iter().map(|token| token.to_lowercase());
    let tokens: Vec<String> = exact.chain(numbered).chain(loose).collect();
    let part = (
        prop::sample::select(tokens),
        any::<prop::sample::Index>(),
        0..5_u8,
    );
    let part = part.prop_map(|(token, at, how)| {
        let ends: Vec<usize> = token.char_indices().map(|(at, _)| at).collect();
        let (start, end) = token.split_at(ends[at.index(ends.len())]);
        let first = token.chars().next().map_or(0, char::len_utf8);
        match how {
            0 => token.clone(),
            1 => start.to_owned(),
            2 => [start, " ", end].concat(),
            3 => [&token[..first], "  ", &token[first..]].concat(),
            _ => [&token[..first], " ", &token[first..]].concat(),
        }
    });
    let part = prop_oneof![4 => part, 1 => prop::sample::select(vec![" ", "\n", "x", "7", "<", "|"]).prop_map(str::to_owned)];
    prop::collection::vec(part, 1..5).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases().div_ceil(PART))
    })]

    /// Values that differ only in the spaces inside tokens stay different.
    #[test]
    fn different_data_gives_different_text(seeds in prop::collection::vec(any::<u64>(), 1)) {
        for native in format::MODEL_FORMATS {
            let config = ProptestConfig { rng_seed: prop::test_runner::RngSeed::Fixed(seeds[0]), ..ProptestConfig::default() };
            let mut runner = prop::test_runner::TestRunner::new(config);
            let value = tokens_in_data(native).new_tree(&mut runner).unwrap().current();
            let text = |value: &str, guard| {
                let messages = Messages::from([Message::user(value)]);
                wrap(native, &messages, guard).unwrap().into_string()
            };
            // The value, the value as the guard leaves it, and both with one space more or less.
            let data = |text: &str| {
                let around = wrap(native, &Messages::from([Message::user(text)]), Guard::Neutralise).unwrap();
                let pieces = around.pieces().filter(|piece| matches!(piece.1, Origin::Data(_)));
                pieces.map(|piece| piece.0).collect::<String>()
            };
            let mut values = vec![value.clone(), data(&value)];
            for value in values.clone() {
                for (at, letter) in value.char_indices() {
                    values.push([&value[..at], " ", &value[at..]].concat());
                    if letter == ' ' {
                        values.push([&value[..at], &value[at + 1..]].concat());
                    }
                }
            }
            let mut texts = std::collections::HashMap::new();
            for value in &values {
                let kept = text(value, Guard::Allow);
                let guarded = text(value, Guard::Neutralise);
                let other = texts.entry(guarded).or_insert_with(|| kept.clone());
                prop_assert_eq!(&*other, &kept, "{:?}", native);
            }
        }
    }
}

/// A megabyte of a family's tokens (in a debug build a tenth of it), whole and in halves that meet.
#[test]
fn a_megabyte_of_tokens() {
    for native in format::MODEL_FORMATS {
        let mut piece: String = native.family().tokens.concat();
        for token in native.family().tokens {
            let chars: Vec<char> = token.chars().collect();
            let (start, end) = chars.split_at(chars.len() / 2);
            piece.extend(end.iter().chain(start));
        }
        let text = piece.repeat(long(1_000_000) / piece.len() + 1);
        let ask = |text: &str| Messages::from([Message::user(text)]);
        let guarded = wrap(native, &ask(&text), Guard::Neutralise).unwrap();
        let harmless = wrap(native, &ask("x"), Guard::Reject).unwrap();
        assert!(guarded.as_str().len() > text.len());
        assert_eq!(
            roles(native, guarded.as_str()),
            roles(native, harmless.as_str()),
            "{native:?}"
        );
        assert!(wrap(native, &ask(&text), Guard::Reject).is_err());
    }
}

/// Words that a family's template interprets as commands have no effect in data.
#[test]
fn switches_in_data_are_text() {
    let check = |format: &dyn ChatFormat, messages: [Message; 2], holds: &[&str]| {
        let text = Messages::from(messages).to_text(format).unwrap();
        assert!(holds.iter().all(|words| text.contains(words)), "{text}");
    };
    let user = || Message::user("Hi");
    check(
        &format::SMOLLM3,
        [Message::system("Be kind. /no_think"), user()],
        &["Reasoning Mode: /think", "Be kind. / no_think"],
    );
    check(
        &format::SMOLLM3,
        [Message::system("/system_override"), user()],
        &["## Metadata", "/ system_override"],
    );
    check(
        &format::SMOLLM3,
        [
            Message::system(Text::template("Be kind. /no_think")),
            user(),
        ],
        &["Reasoning Mode: /no_think", "Be kind.\n"],
    );
    check(
        &format::GLM4_5.thinking(false),
        [Message::system("s"), Message::user("Hi /nothink")],
        &["Hi / nothink/nothink"],
    );
}
