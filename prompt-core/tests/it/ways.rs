//! Whichever way a prompt's text is asked for, it is the same text, or the same error.

use prompt_core::aisbench::{MetaRole, MetaTemplate};
use prompt_core::format::{self, Native};
use prompt_core::lazyllm::{Alpaca, Chat};
use prompt_core::{
    ChatFormat, Error, Guard, Message, Messages, Part, Prompt, Role, Wrapped, lamini,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::layouts_alone::keys;
use crate::steps::{Odd, Step, Steps, steps, turns};

type Checked = Result<(), TestCaseError>;

/// All that an error says, less the prompt.
fn said(error: &Error) -> String {
    let text = format!("{error:#}");
    let lines = text
        .split('\n')
        .filter(|line| !line.starts_with("  = prompt:"));
    let place = (error.message_index(), error.role(), error.slot());
    format!("{:?} {place:?} {:?}", Vec::from_iter(lines), error.range())
}

/// As messages and as a prompt; with turns that are shared, side by side, and copied.
fn check(prompt: &Steps, format: &impl ChatFormat) -> Checked {
    let (text, wrapped) = (prompt.to_text(format), prompt.wrap(format));
    for error in [text.as_ref().err(), wrapped.as_ref().err()] {
        prop_assert!(error.is_none_or(|error| error.prompt() == Some("Steps")));
    }
    let text = text.map_err(|error| said(&error));
    prop_assert_eq!(
        &text,
        &wrapped
            .map(Wrapped::into_string)
            .map_err(|error| said(&error))
    );
    let messages = prompt.messages();
    let shared = messages.to_text(format).map_err(|error| said(&error));
    let folds = |step: &Step| {
        let odd = |odd: &Odd| matches!(odd, Odd::Extra);
        matches!(step, Step::Extra(..) | Step::OddExtra(_))
            || matches!(step, Step::Odd(_, it) if odd(it))
    };
    if !prompt.0.iter().any(folds) {
        prop_assert_eq!(&shared, &text);
    }
    let whole = messages.clone();
    prop_assert_eq!(whole.iter().len(), messages.len());
    let mut ways = vec![
        whole.to_text(format),
        messages.wrap(format).map(Wrapped::into_string),
        Prompt::to_text(&messages, format),
    ];
    if messages.check().is_ok() {
        ways.push(copied(&messages).to_text(format));
    }
    for way in ways {
        prop_assert_eq!(&shared, &way.map_err(|error| said(&error)));
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
    let shared = prompt.messages();
    if shared.check().is_err() {
        return Ok(());
    }
    let copied = copied(&shared);
    let json = |messages: &Messages| {
        let texts = [
            serde_json::to_string(&messages.openai()),
            serde_json::to_string(&messages.anthropic()),
        ];
        texts.map(|text| text.map_err(|error| error.to_string()))
    };
    prop_assert_eq!(json(&prompt.messages()), json(&copied));
    prop_assert_eq!(&shared, &copied);
    Ok(())
}

/// The words alone are those of the one message.
fn check_plain(prompt: &Steps) -> Checked {
    let mut text = "before".to_owned();
    let plain = prompt.plain_into(&mut text);
    let messages = prompt.messages();
    let is_text = |part: &Part| matches!(part, Part::Text(_));
    let is_words = |message: &Message| {
        let is_named = message.name.is_some() && message.role != Role::Tool;
        let says_more = message.reasoning.is_some() || is_named;
        !says_more && message.tool_calls.is_empty() && message.parts.iter().all(is_text)
    };
    let is_one = messages.check().is_ok()
        && messages.len() <= 1
        && messages.tools().is_empty()
        && messages.iter().all(is_words);
    let said: String = messages.iter().map(|it| it.text().into_owned()).collect();
    let brings_turns = |step: &Step| {
        matches!(
            step,
            Step::History(_) | Step::Pairs(_) | Step::Turns(_) | Step::Shots(_, true)
        )
    };
    match plain {
        Ok(()) => {
            prop_assert!(is_one, "{messages:?}");
            prop_assert_eq!(text, ["before", &said].concat());
        }
        Err(error) => {
            prop_assert!(
                !is_one || prompt.0.iter().any(brings_turns),
                "{error} {messages:?}"
            );
            prop_assert_eq!(text, "before");
        }
    }
    Ok(())
}

fn meta() -> MetaTemplate {
    let user = MetaRole::new("HUMAN").marks("<|im_start|>user\n", "<|im_end|>\n");
    let reply = MetaRole::new("BOT").marks("<|im_start|>assistant\n", "<|im_end|>\n");
    let system = MetaRole::new("SYSTEM").marks("<|im_start|>system\n", "<|im_end|>\n");
    MetaTemplate::new()
        .role(user)
        .role(reply.generates())
        .reserved(system)
        .reserved(MetaRole::new("TOOL").marks("[TOOL] ", "\n"))
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
    #![proptest_config(config(30))]

    #[test]
    fn of_the_models_own_formats(
        prompt in steps(),
        guard in guard(),
        (bos, answer, label, switch) in (any::<bool>(), prop::bool::weighted(0.8), label(), 0..6),
    ) {
        for native in format::NATIVES {
            let own = Native::clone(native);
            let switched = match switch {
                0 => own.clone().as_model(),
                1 => own.clone().continued(),
                2 => own.clone().thinking(false),
                _ => own.clone(),
            };
            check(&prompt, &switched.guard(guard).bos(bos).generation_prompt(answer).label(label))?;
        }
    }
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn of_layouts(
        prompt in steps(),
        before in turns(),
        keys in keys(),
        guard in guard(),
        (roles, system, answer, label) in (any::<bool>(), any::<bool>(), prop::bool::weighted(0.8), label()),
    ) {
        let chat = if roles { Chat::with_roles() } else { Chat::new() };
        let chat = chat.history(before).keys(keys).enable_system(system);
        check(&prompt, &chat.guard(guard).generation_prompt(answer).label(label))?;
        let alpaca = if roles { Alpaca::with_roles() } else { Alpaca::new() };
        check(&prompt, &alpaca.guard(guard).generation_prompt(answer).label(label))?;
        check(&prompt, &meta().guard(guard).generation_prompt(answer).label(label))?;
        check(&prompt, &MetaTemplate::new().guard(guard).label(label))?;
        for turns in [lamini::ALPACA, lamini::LLAMA2, lamini::LLAMA3] {
            check(&prompt, &turns.guard(guard).generation_prompt(answer).label(label))?;
        }
        check(&prompt, &format::PLAIN.guard(guard).label(label))?;
    }

    #[test]
    fn of_words_and_json(prompt in steps()) {
        check_plain(&prompt)?;
        check_json(&prompt)?;
    }
}
