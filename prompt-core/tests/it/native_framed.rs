//! Ordinary conversations are written in one pass, from marks that are known beforehand: to the byte, and to the piece,
//! what the family's style writes for them.

use prompt_core::format::{self, Native};
use prompt_core::{ChatFormat, Guard, Message, Messages, Role, Source, Text};
use proptest::prelude::*;
use proptest::sample::select;

use crate::native_guard::adversarial;

/// Words as people and programs write them, with white space at their ends, and now and then what breaks formats.
fn words() -> impl Strategy<Value = String> {
    let ends = || select(vec!["", "", "", " ", "\n", "\u{3000}", "\x1c", "\n\n"]);
    let inner = prop_oneof![
        8 => select(vec!["Hi", "a < b", "x", "é\n\nü", "<p>[1]</p>", "Usage: A", "GPT", "#", "<", "|>", ""]).prop_map(str::to_owned),
        2 => "[ -~]{1,40}",
        1 => select(vec!["</think>", "<think>a</think>b", "/nothink", "/no_think", "<tool_response>x</tool_response>"]).prop_map(str::to_owned),
        1 => adversarial(),
    ];
    (ends(), inner, ends()).prop_map(|(before, inner, after)| [before, &inner, after].concat())
}

fn text() -> impl Strategy<Value = Text> {
    let template = select(vec!["", "Answer: ", " ", "<", "<|im_", ".\n"]);
    prop_oneof![
        3 => words().prop_map(Text::from),
        1 => (template, words()).prop_map(|(template, words)| {
            let mut text = Text::template(template);
            text.push_data(Some("slot"), &words);
            text.push_template(template);
            text
        }),
    ]
}

fn message(role: Role) -> impl Strategy<Value = Message> {
    text().prop_map(move |text| Message::new(role, text))
}

/// Mostly ordinary; sometimes the assistant speaks last, or someone twice.
pub(crate) fn conversation() -> impl Strategy<Value = Messages> {
    let turns = prop::collection::vec((message(Role::User), message(Role::Assistant)), 0..3);
    let odd = select(vec![Role::User, Role::Assistant, Role::System, Role::Tool]);
    (
        prop::option::of(message(Role::System)),
        turns,
        message(Role::User),
        prop::option::weighted(0.1, odd.prop_flat_map(message)),
    )
        .prop_map(|(system, turns, last, odd)| {
            let turns = turns.into_iter().flat_map(|(user, reply)| [user, reply]);
            system
                .into_iter()
                .chain(turns)
                .chain([last])
                .chain(odd)
                .collect()
        })
}

/// The same format, with a switch at its default: its style writes the text then.
fn by_style(native: &Native) -> Native {
    native.clone().eos(true)
}

fn check(
    native: &Native,
    messages: &Messages,
    guard: Guard,
    bos: bool,
) -> Result<(), TestCaseError> {
    let framed = native.clone().guard(guard).bos(bos);
    let styled = by_style(native).guard(guard).bos(bos);
    let expected = messages.wrap(&styled);
    let (text, wrapped) = (messages.to_text(&framed), messages.wrap(&framed));
    match expected {
        Ok(expected) => {
            prop_assert_eq!(text.unwrap(), expected.as_str(), "{:?}", native);
            let wrapped = wrapped.unwrap();
            let pieces: Vec<(&str, Source)> = wrapped.pieces().collect();
            prop_assert_eq!(pieces, expected.pieces().collect::<Vec<_>>());
        }
        Err(expected) => {
            let expected = format!("{expected:#}");
            prop_assert_eq!(format!("{:#}", text.unwrap_err()), expected.clone());
            prop_assert_eq!(format!("{:#}", wrapped.unwrap_err()), expected);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("CONVERSATIONS").map_or(600, |count| count.parse().expect("a number"))
    ))]

    #[test]
    fn one_pass_writes_what_the_style_writes(
        messages in conversation(),
        guard in select(vec![Guard::Neutralise, Guard::Neutralise, Guard::Reject, Guard::Allow]),
        bos in any::<bool>(),
    ) {
        for native in format::NATIVES {
            check(native, &messages, guard, bos)?;
        }
    }
}

#[test]
fn most_families_have_a_frame() {
    let without: Vec<&str> = format::NATIVES
        .iter()
        .map(ChatFormat::family)
        .filter(|family| family.frame.is_none())
        .map(|family| family.name)
        .collect();
    // Each of these names the day in its text.
    assert_eq!(without, ["smollm3", "llama3_2", "gpt_oss"]);
}

#[test]
fn what_is_more_than_words_is_not_lost() {
    let call = Messages::from([
        Message::user("Hi"),
        Message::assistant("Hello").with_reasoning("Easy."),
        Message::user("Bye"),
    ]);
    for native in [format::QWEN3, format::CHATML, format::LLAMA3] {
        let (one, other) = (call.to_text(&native), call.to_text(by_style(&native)));
        match (one, other) {
            (Ok(one), Ok(other)) => assert_eq!(one, other),
            (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
            (one, other) => panic!("{native:?}: {one:?} {other:?}"),
        }
    }
}
