//! The text of a family is parsed back to the same roles, turns and content.

use prompt_core::format::{self, ConversationTemplate, FormatOptions, NativeFormat};
use prompt_core::{ChatFormat, Guard, Message, Messages, Role, Tool, ToolCall};

fn read(native: &NativeFormat, messages: &Messages, answers: bool) -> Option<Vec<(Role, String)>> {
    read_with(
        native,
        messages,
        &FormatOptions::new().generation_prompt(answers),
    )
}

fn read_with(
    native: &NativeFormat,
    messages: &Messages,
    options: &FormatOptions,
) -> Option<Vec<(Role, String)>> {
    let text = messages.to_text(native.options(options.clone())).ok()?;
    let turns = native
        .parse(&text)
        .unwrap_or_else(|error| panic!("{native:?}: {error:#}\n{text}"));
    Some(
        turns
            .iter()
            .map(|turn| (turn.role, turn.text.to_owned()))
            .collect(),
    )
}

fn turns(messages: &[(Role, &str)]) -> Vec<(Role, String)> {
    let turn = |(role, text): &(Role, &str)| (*role, (*text).to_owned());
    messages.iter().map(turn).collect()
}

const TALK: [(Role, &str); 3] = [
    (Role::User, "Hi"),
    (Role::Assistant, "Hello."),
    (Role::User, "Bye\n\nfor now"),
];

fn messages(turns: &[(Role, &'static str)]) -> Messages {
    turns
        .iter()
        .map(|(role, text)| Message::new(*role, *text))
        .collect()
}

#[test]
fn conversations_are_parsed_back() {
    for native in format::MODEL_FORMATS.iter().copied() {
        let name = native.family().name;
        let expected = match name {
            // Written as one line break.
            "falcon" => turns(&[TALK[0], TALK[1], (Role::User, "Bye\nfor now")]),
            _ => turns(&TALK),
        };
        for answers in [true, false] {
            let got = read(native, &messages(&TALK), answers).unwrap();
            // The family's default system message precedes them.
            let own = got.len() - 3;
            assert_eq!(got[own..], expected, "{name}");
            assert!(own == 0 || (own == 1 && got[0].0 == Role::System), "{name}");
            assert_eq!(
                read_with(
                    native,
                    &messages(&TALK),
                    &FormatOptions::new().eos(false).generation_prompt(answers)
                )
                .unwrap(),
                got,
                "{name}"
            );
            let bare = messages(&TALK)
                .to_text(native.bos(false).generation_prompt(answers))
                .unwrap();
            assert_eq!(native.parse(&bare).unwrap().len(), got.len(), "{name}");
        }
        let row = messages(&TALK[..2]);
        let got = read(native, &row, false).unwrap();
        assert_eq!(got[got.len() - 2..], expected[..2], "{name}");
    }
}

#[test]
fn instructions_are_parsed_back() {
    let ask: Vec<_> = [(Role::System, "Be brief.")]
        .into_iter()
        .chain(TALK)
        .collect();
    for native in format::MODEL_FORMATS.iter().copied() {
        let name = native.family().name;
        let Some(got) = read(native, &messages(&ask), true) else {
            assert!(!native.family().system, "{name}");
            continue;
        };
        let (role, text) = &got[0];
        match name {
            // In the user turn, without a delimiter.
            "gemma3" | "mistral_v1" => {
                assert_eq!(got[0], (Role::User, "Be brief.\n\nHi".to_owned()));
            }
            "mistral_v3" | "mistral_v3_tekken" => {
                assert_eq!(got[2].1, "Be brief.\n\nBye\n\nfor now");
            }
            _ => {
                assert_eq!(got.len(), 4, "{name}");
                assert!(
                    *role == Role::System && text.contains("Be brief."),
                    "{name}: {text}"
                );
            }
        }
        if ![
            "cohere2",
            "command_r7b",
            "llama3_1",
            "llama3_2",
            "smollm3",
            "gpt_oss",
            // The reasoning effort precedes them.
            "qwen3_8",
            // The reasoning effort and the recipients follow them.
            "muse_glimmer",
            "gemma3",
            "mistral_v1",
            "mistral_v3",
            "mistral_v3_tekken",
        ]
        .contains(&name)
        {
            assert_eq!(text, "Be brief.", "{name}");
        }
    }
}

/// All formats but Apertus, whose results are text of the assistant's turn without delimiters.
fn formats_with_results() -> impl Iterator<Item = &'static NativeFormat> {
    let formats = format::MODEL_FORMATS.iter().copied();
    formats.filter(|native| native.family().template != ConversationTemplate::Apertus)
}

/// The role that is read for a tool's result.
fn result_role(family: &str) -> Role {
    match family {
        // Its template writes results as user messages.
        "smollm3" => Role::User,
        _ => Role::Tool,
    }
}

#[test]
fn calls_and_results_are_parsed_back() {
    let call = |id: &str| ToolCall::new(id, "tide", r#"{"day": 1}"#);
    let one = Messages::from([
        Message::user("When?"),
        Message::calls([call("call00001")]),
        Message::tool("call00001", "6:12"),
        Message::assistant("At 6:12."),
        Message::user("Bye"),
    ])
    .with_tool(Tool::new("tide"));
    let expected = |name| {
        [
            Role::User,
            Role::Assistant,
            result_role(name),
            Role::Assistant,
            Role::User,
        ]
    };
    let mut families = 0;
    for native in formats_with_results() {
        let name = native.family().name;
        let mut ask = one.clone();
        let got = read(native, &ask, true).or_else(|| {
            // Families that support calls and results, but not tools.
            ask = ask.iter().cloned().collect();
            read(native, &ask, true)
        });
        let Some(got) = got else { continue };
        families += 1;
        let own = got.len() - 5;
        let roles: Vec<_> = got[own..].iter().map(|turn| turn.0).collect();
        assert_eq!(roles, expected(name), "{name}");
        let arguments = [
            "\"day\": 1",
            "day</arg_key>",
            "day</arg_key:opensource>",
            "(day=1)",
            "<parameter=day>",
            "{day:1}",
            "name=\"day\"",
            "<day>1]",
            "key=\"day\"",
        ];
        let is_call = arguments.iter().any(|text| got[own + 1].1.contains(text));
        assert!(is_call, "{name}: {got:?}");
        assert!(got[own + 2].1.contains("6:12"), "{name}: {got:?}");
        assert_eq!(
            (&*got[own + 3].1, &*got[own + 4].1),
            ("At 6:12.", "Bye"),
            "{name}"
        );
    }
    assert!(families >= 13, "{families}");
}

#[test]
fn results_of_several_calls_are_parsed_back() {
    let call = |id: &str, name: &str| ToolCall::new(id, name, r#"{"day": 1}"#);
    let ask = Messages::from([
        Message::user("When?"),
        Message::calls([call("call00001", "tide"), call("call00002", "wind")]),
        Message::tool("call00001", "6:12"),
        Message::tool("call00002", "7 m/s"),
    ]);
    let mut families = 0;
    for native in formats_with_results() {
        let Some(got) = read(native, &ask, true) else {
            continue;
        };
        let name = native.family().name;
        families += 1;
        let mut roles: Vec<_> = got.iter().map(|turn| turn.0).collect();
        // Each call of GLM-4 is a turn.
        roles.dedup();
        assert!(
            roles.ends_with(&[Role::User, Role::Assistant, result_role(name)]),
            "{name}: {got:?}"
        );
    }
    assert!(families >= 8, "{families}");
}

#[test]
fn reasoning_is_separate() {
    let check = |native: NativeFormat, text: &str, reasoning: Option<&str>, expected: &str| {
        let turns = native.parse(text).unwrap();
        let last = turns.last().unwrap();
        assert_eq!((last.reasoning, last.text), (reasoning, expected));
    };
    check(
        format::QWEN3,
        "<|im_start|>user\n2+2?<|im_end|>\n<|im_start|>assistant\n<think>\nEasy.\n</think>\n\n4<|im_end|>\n",
        Some("Easy."),
        "4",
    );
    check(
        format::GPT_OSS,
        "<|start|>user<|message|>2+2?<|end|><|start|>assistant<|channel|>analysis<|message|>Easy.<|end|>\
         <|start|>assistant<|channel|>final<|message|>4<|return|>",
        Some("Easy."),
        "4",
    );
    check(
        format::GLM4_5,
        "[gMASK]<sop><|user|>\n2+2?<|assistant|>\n<think>Easy.</think>\n4",
        Some("Easy."),
        "4",
    );
}

#[test]
fn text_of_other_formats_is_rejected() {
    let check = |native: NativeFormat, text: &str, expected: &str| {
        assert_eq!(format!("{:#}", native.parse(text).unwrap_err()), expected);
    };
    check(
        format::LLAMA3,
        "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>\nand more",
        "the text is not Llama 3's: this part is outside of all turns
 --> 4:1
  |
4 | and more
  | ^^^^^^^^ outside of all turns
  = help: read it with the format that it was written in",
    );
    check(
        format::CHATML,
        "<|im_start|>narrator\nRain.<|im_end|>\n",
        "there is no role `narrator`
 --> 1:13
  |
1 | <|im_start|>narrator
  |             ^^^^^^^^ not a role
  = help: use `system`, `user`, `assistant` or `tool`",
    );
    // Also after a turn that can be read.
    let later = format::CHATML
        .parse("<|im_start|>user\nHi<|im_end|>\n<|im_start|>narrator\nRain.<|im_end|>\n");
    assert_eq!(later.unwrap_err().message(), "there is no role `narrator`");
    let unclosed = format::CHATML.parse("<|im_start|>user\nHi<|im_start|>narrator\nRain.");
    assert_eq!(
        unclosed.unwrap_err().message(),
        "there is no role `narrator`"
    );
    for native in format::MODEL_FORMATS {
        assert_eq!(native.parse("").unwrap(), [], "{native:?}");
    }
}

#[test]
fn reading_is_linear() {
    for piece in [
        "<|im_start|>",
        "<|im_start|>user\n<|im_end|>",
        "<s>[INST] [/INST]",
        "[INST] <<SYS>>\n",
        "\n\n\n ",
        "<|start_header_id|>  ",
        "<think>",
        "<tool_response>\n",
    ] {
        for native in [
            &format::QWEN3,
            &format::LLAMA2,
            &format::LLAMA3_1,
            &format::FALCON,
        ] {
            let text = |bytes: usize| {
                let text = piece.repeat(bytes / piece.len());
                let format = NativeFormat::clone(native).guard(Guard::Allow);
                Messages::from([Message::user(text)])
                    .to_text(format)
                    .unwrap()
            };
            let texts = [text(20_000), text(400_000)];
            crate::linear::assert_linear(piece, 20_000, |bytes| {
                // Forged turns are turns; roles that they forge are errors.
                let read = native.parse(&texts[usize::from(bytes > 20_000)]);
                assert!(read.is_err() || !read.unwrap().is_empty());
            });
        }
    }
}
