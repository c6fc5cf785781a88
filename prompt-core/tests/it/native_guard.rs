//! Data never becomes structure, in any family: no control token of a wrapped text holds a byte of data, and the text
//! is read back with the same roles and turns.
//!
//! `CONVERSATIONS=1000000 cargo test --release -p prompt-core --test it native_guard` generates as many.

mod hostile;

use prompt_core::format::{self, NativeFormat};
use prompt_core::{
    AnnotatedText, ChatFormat, ErrorKind, Guard, Message, Messages, Origin, Role, Text, Tool,
    ToolCall,
};
use proptest::prelude::*;

pub(crate) use self::hostile::adversarial;
use self::hostile::conversation;

/// The conversation in the words of a family: without instructions and tools where it has no place for them. What it
/// does not support all the same, such as channels in an answer of gpt-oss, is no matter here.
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
    messages.wrap(native.clone().guard(guard))
}

/// Where data lies in a text, byte by byte.
fn data(wrapped: &AnnotatedText) -> Vec<bool> {
    let is_data =
        |(piece, source): (&str, Origin)| vec![matches!(source, Origin::Data(_)); piece.len()];
    wrapped.pieces().flat_map(is_data).collect()
}

/// A token that holds a byte of data.
fn forged<'f>(native: &'f NativeFormat, wrapped: &AnnotatedText) -> Option<&'f str> {
    let data = data(wrapped);
    let text = wrapped.as_str();
    let (loose, exact): (Vec<_>, Vec<_>) = native
        .family()
        .tokens
        .iter()
        .copied()
        .partition(|token| native.family().loose.contains(token));
    let forges = |token: &&str| {
        let mut starts = text.match_indices(*token).map(|found| found.0);
        starts.any(|at| data[at..at + token.len()].contains(&true))
    };
    let spaced: Vec<(usize, char)> = text
        .char_indices()
        .filter(|(_, letter)| !letter.is_whitespace())
        .collect();
    let forges_loosely = |token: &&str| is_loose(token, &spaced, &data);
    exact
        .into_iter()
        .find(forges)
        .or_else(|| loose.into_iter().find(forges_loosely))
}

/// Whether the letters of a text, in any case, are a token's somewhere: without white space, but for that inside words.
fn is_loose(token: &str, spaced: &[(usize, char)], data: &[bool]) -> bool {
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
        same && (1..found.len()).all(whole) && found.iter().any(|(at, _)| data[*at])
    })
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

/// White space as Python's `str.strip` takes it off, which most templates do.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

/// The same conversation with nothing in it that could be taken for structure.
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

/// Whether instructions hold a word that the family's template takes for a switch, which it is not in data.
fn switched(native: &NativeFormat, messages: &Messages) -> bool {
    let system = messages.iter().find(|turn| turn.role == Role::System);
    let text = system
        .map(|turn| turn.text().into_owned())
        .unwrap_or_default();
    let switches = ["/think", "/no_think", "/system_override"];
    native.family().name == "smollm3" && switches.iter().any(|word| text.contains(word))
}

/// The guarded text is the other with each token broken, and nothing else.
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
            prop_assert_eq!(guarded.as_str(), kept.as_str());
        }
        (Some(_), Err(error)) => prop_assert_eq!(error.kind(), ErrorKind::ControlToken),
        (token, result) => prop_assert!(false, "{:?} {:?} {:?}", native, token, result),
    }
    Ok(())
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

/// A megabyte of a family's tokens, whole and in halves that meet.
#[test]
fn a_megabyte_of_tokens() {
    for native in format::MODEL_FORMATS {
        let mut piece: String = native.family().tokens.concat();
        for token in native.family().tokens {
            let chars: Vec<char> = token.chars().collect();
            let (start, end) = chars.split_at(chars.len() / 2);
            piece.extend(end.iter().chain(start));
        }
        let long = piece.repeat(1_000_000 / piece.len() + 1);
        let ask = |text: &str| Messages::from([Message::user(text)]);
        let guarded = wrap(native, &ask(&long), Guard::Neutralise).unwrap();
        let harmless = wrap(native, &ask("x"), Guard::Reject).unwrap();
        assert!(guarded.as_str().len() > long.len());
        assert_eq!(
            roles(native, guarded.as_str()),
            roles(native, harmless.as_str()),
            "{native:?}"
        );
        assert!(wrap(native, &ask(&long), Guard::Reject).is_err());
    }
}

/// Words that a family's template takes for a switch are none in data.
#[test]
fn switches_in_data_are_text() {
    let check = |native: NativeFormat, messages: [Message; 2], holds: &[&str]| {
        let text = Messages::from(messages).to_text(native).unwrap();
        assert!(holds.iter().all(|words| text.contains(words)), "{text}");
    };
    let user = || Message::user("Hi");
    check(
        format::SMOLLM3,
        [Message::system("Be kind. /no_think"), user()],
        &["Reasoning Mode: /think", "Be kind. / no_think"],
    );
    check(
        format::SMOLLM3,
        [Message::system("/system_override"), user()],
        &["## Metadata", "/ system_override"],
    );
    check(
        format::SMOLLM3,
        [
            Message::system(Text::template("Be kind. /no_think")),
            user(),
        ],
        &["Reasoning Mode: /no_think", "Be kind.\n"],
    );
    check(
        format::GLM4_5.thinking(false),
        [Message::system("s"), Message::user("Hi /nothink")],
        &["Hi / nothink/nothink"],
    );
}
