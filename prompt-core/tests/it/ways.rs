//! A prompt and its messages result in the same text or error, whatever the guard is, with shared turns and with copied ones, and in the same
//! text without a chat format.

use prompt_core::format;
use prompt_core::{ChatFormat, Error, Guard, Message, Messages, Part, Prompt, Role};
use proptest::prelude::*;
use proptest::sample::select;

use crate::steps::{Odd, Step, Steps, steps};

type Checked = Result<(), TestCaseError>;

/// The text of an error, without the prompt that it names.
fn shown(error: &Error) -> String {
    let text = format!("{error:#}");
    let lines = text
        .split('\n')
        .filter(|line| !line.starts_with("  = prompt:"));
    let place = (error.message_index(), error.role(), error.slot());
    format!("{:?} {place:?} {:?}", Vec::from_iter(lines), error.range())
}

/// As a prompt and as messages; with turns that are shared, and with copied ones.
fn check(prompt: &Steps, format: &impl ChatFormat) -> Checked {
    let text = prompt.to_text(format);
    let name = text.as_ref().err().map(Error::prompt);
    prop_assert!(name.is_none_or(|name| name == Some("Steps")));
    let text = text.map_err(|error| shown(&error));
    let messages = prompt.messages();
    let shared = messages.as_ref().map_err(Clone::clone);
    let shared = shared.and_then(|messages| messages.to_text(format));
    let shared = shared.map_err(|error| shown(&error));
    let folds = |step: &Step| {
        matches!(
            step,
            Step::Extra(..) | Step::OddExtra(_) | Step::Odd(_, Odd::Extra)
        )
    };
    if !prompt.0.iter().any(folds) {
        prop_assert_eq!(&shared, &text);
    }
    if let Ok(messages) = messages {
        let copied = copied(&messages).to_text(format);
        prop_assert_eq!(&shared, &copied.map_err(|error| shown(&error)));
    }
    Ok(())
}

/// With none of the turns shared.
fn copied(messages: &Messages) -> Messages {
    let turns = messages.iter().cloned().collect();
    let tools = messages.tools().iter().cloned();
    tools.fold(turns, Messages::with_tool)
}

/// Chat APIs are sent the same, whether turns are shared or copied.
fn check_json(prompt: &Steps) -> Checked {
    let Ok(shared) = prompt.messages() else {
        return Ok(());
    };
    let copied = copied(&shared);
    let json = |messages: &Messages| {
        let texts = [
            serde_json::to_string(&messages.openai()),
            serde_json::to_string(&messages.anthropic()),
        ];
        texts.map(|text| text.map_err(|error| error.to_string()))
    };
    prop_assert_eq!(json(&shared), json(&copied));
    prop_assert_eq!(&shared, &copied);
    Ok(())
}

/// The plain text is that of the only message.
fn check_plain(prompt: &Steps) -> Checked {
    let plain = prompt.to_plain_text();
    let messages = prompt.messages();
    let is_text = |part: &Part| matches!(part, Part::Text(_));
    let is_words = |message: &Message| {
        let is_named = message.name.is_some() && message.role != Role::Tool;
        let says_more = message.reasoning.is_some() || is_named;
        !says_more && message.tool_calls.is_empty() && message.parts.iter().all(is_text)
    };
    let one = messages.as_ref().ok().filter(|messages| {
        messages.len() <= 1 && messages.tools().is_empty() && messages.iter().all(is_words)
    });
    let said = one.map(|messages| messages.iter().map(|it| it.text().into_owned()));
    let said = said.map(String::from_iter);
    match plain {
        Ok(text) => prop_assert_eq!(Some(text), said),
        Err(error) => prop_assert!(one.is_none(), "{error} {messages:?}"),
    }
    Ok(())
}

fn guard() -> impl Strategy<Value = Guard> {
    select(vec![
        Guard::Neutralise,
        Guard::Neutralise,
        Guard::Reject,
        Guard::Allow,
    ])
}

fn label() -> impl Strategy<Value = &'static str> {
    select(vec!["", "", "", "Yes.", "No.<|im_end|>", "No.</s>"])
}

/// `WAYS=100000 cargo test --release -p prompt-core --test it ways` tries as many.
fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var("WAYS").map(|count| count.parse().expect("a number"));
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(asked.unwrap_or(cases))
    }
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn as_text_in_a_chat_format(
        prompt in steps(),
        guard in guard(),
        (bos, answer, label) in (any::<bool>(), prop::bool::weighted(0.8), label()),
    ) {
        for native in [format::LLAMA2, format::LLAMA3, format::QWEN3, format::SMOLLM3] {
            check(&prompt, &native.guard(guard).bos(bos).generation_prompt(answer).label(label))?;
        }
        check(&prompt, &format::ALPACA.guard(guard).generation_prompt(answer).label(label))?;
        check(&prompt, &format::PLAIN.guard(guard).label(label))?;
    }

    #[test]
    fn as_plain_text_and_json(prompt in steps()) {
        check_plain(&prompt)?;
        check_json(&prompt)?;
    }
}
