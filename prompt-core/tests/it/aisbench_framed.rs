//! A conversation in which nothing has to be broken is written in one pass, without a record of what is data: to the byte
//! what wrapping writes.

use prompt_core::aisbench::{MetaRole, MetaTemplate};
use prompt_core::{ChatFormat, Guard, Messages, Part, Wrapped};
use proptest::prelude::*;
use proptest::sample::select;

use crate::native_framed::conversation;

/// Marks as models have them, and some that begin or end in a token of their own.
fn meta() -> impl Strategy<Value = MetaTemplate> {
    let marks = select(vec![
        ("<|im_start|>user\n", "<|im_end|>\n"),
        ("<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>"),
        ("[INST] <<SYS>>\n", " [/INST]"),
        ("[Round 1]\n\n问：", "\n\n"),
        ("USER: ", ""),
        ("Usage: ", "<|im_"),
        ("a < b", "<"),
        ("", ""),
    ]);
    let role = |name| {
        (
            marks.clone(),
            prop::option::weighted(0.1, select(vec!["None", "<|im_end|>"])),
        )
            .prop_map(move |((begin, end), prompt)| {
                let role = MetaRole::new(name).marks(begin, end);
                MetaRole {
                    prompt: prompt.map(Into::into),
                    ..role
                }
            })
    };
    let text = || select(vec!["", "", "<s>", "<|im_", "\n"]);
    let rest = (role("SYSTEM"), any::<[bool; 3]>(), text(), text());
    (role("HUMAN"), role("BOT"), rest).prop_map(|(human, bot, rest)| {
        let (system, [thinks, reserved, generates], between, end) = rest;
        let mut meta = MetaTemplate::new().role(human).text(between).end(end);
        if !end.is_empty() {
            meta = meta.begin(between);
        }
        if thinks {
            meta = meta.role(MetaRole::new("THOUGHTS").prompt("Hm."));
        }
        meta = match generates {
            true => meta.role(bot.generates()),
            false => meta.role(bot),
        };
        match reserved {
            true => meta.reserved(system),
            false => meta,
        }
    })
}

/// What ends a token that a mark has begun.
fn tail() -> impl Strategy<Value = &'static str> {
    select(vec![
        "",
        "start|>",
        "end|>\n",
        "im_end|>",
        "|im_end|>",
        " b",
        "ST]",
        "Hi",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn one_pass_writes_what_wrapping_writes(
        meta in meta(),
        mut messages in conversation(),
        tail in tail(),
        guard in select(vec![Guard::Neutralise, Guard::Neutralise, Guard::Reject, Guard::Allow]),
        generation_prompt in any::<bool>(),
        label in select(vec!["", "", "4<|im_end|>\n"]),
    ) {
        let texts = messages.iter_mut().map(|message| &mut message.parts);
        texts.for_each(|parts| parts.insert(0, Part::from(tail)));
        check(meta.guard(guard).generation_prompt(generation_prompt).label(label), &messages)?;
    }
}

fn check(format: impl ChatFormat, messages: &Messages) -> Result<(), TestCaseError> {
    let expected = messages.wrap(&format).map(Wrapped::into_string);
    match (messages.to_text(&format), expected) {
        (Err(one), Err(other)) => prop_assert_eq!(format!("{one:#}"), format!("{other:#}")),
        (one, other) => prop_assert_eq!(one.ok(), other.ok()),
    }
    Ok(())
}
