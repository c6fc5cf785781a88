//! The bytes of each format's texts that the model generates: the assistant's turns, and nothing else.

use prompt_core::format::{self, NativeFormat, TextEnd};
use prompt_core::{
    AnnotatedText, ChatFormat, Guard, Message, Messages, Origin, Result, Role, Text, Tool, ToolCall,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::native_guard::adversarial;

fn generated(text: &AnnotatedText) -> Vec<&str> {
    let ranges = text.generated().unwrap().iter();
    ranges.map(|range| &text.as_str()[range.clone()]).collect()
}

fn write(native: &NativeFormat, chat: &Messages, guard: Guard) -> Result<AnnotatedText> {
    chat.to_annotated_text((*native).guard(guard).generation_prompt(false))
}

/// The turns of a chat with the answers `one` and `two`, where they are not the text between the assistant's delimiters.
const TURNS: &[(&str, [&str; 2])] = &[
    (
        "command_r7b",
        [
            "<|START_RESPONSE|>one<|END_RESPONSE|><|END_OF_TURN_TOKEN|>",
            "<|START_RESPONSE|>two<|END_RESPONSE|><|END_OF_TURN_TOKEN|>",
        ],
    ),
    (
        "deepseek_v3_1",
        [
            "<think></think>one<｜end▁of▁sentence｜>",
            "<think></think>two<｜end▁of▁sentence｜>",
        ],
    ),
    (
        "deepseek_v3_2",
        [
            "</think>one<｜end▁of▁sentence｜>",
            "</think>two<｜end▁of▁sentence｜>",
        ],
    ),
    (
        "deepseek_v4",
        [
            "</think>one<｜end▁of▁sentence｜>",
            "</think>two<｜end▁of▁sentence｜>",
        ],
    ),
    (
        "deepseek_v4_0731",
        [
            "</think>one<｜end▁of▁sentence｜>",
            "</think>two<｜end▁of▁sentence｜>",
        ],
    ),
    // The model ends a turn with the token of the next one.
    ("glm4", ["one<|user|>", "two"]),
    (
        "glm4_5",
        ["\n<think></think>\none<|user|>", "\n<think></think>\ntwo"],
    ),
    ("glm4_7", ["</think>one<|user|>", "</think>two"]),
    (
        "gpt_oss",
        [
            "<|channel|>final<|message|>one<|end|>",
            "<|channel|>final<|message|>two<|return|>",
        ],
    ),
    (
        "hy3",
        [
            "<think:opensource></think:opensource>one<｜hy_eos:opensource｜>",
            "<think:opensource></think:opensource>two",
        ],
    ),
    (
        "kimi_k2_thinking",
        [
            "<think></think>one<|im_end|>",
            "<think></think>two<|im_end|>",
        ],
    ),
    (
        "kimi_k3",
        [
            "<|close|>think<|sep|><|open|>response<|sep|>one<|close|>response<|sep|><|close|>message<|sep|><|end_of_msg|>",
            "<|close|>think<|sep|><|open|>response<|sep|>two<|close|>response<|sep|><|close|>message<|sep|><|end_of_msg|>",
        ],
    ),
    (
        "minimax_m3",
        ["</mm:think>one[e~[\n", "</mm:think>two[e~[\n"],
    ),
    (
        "muse_glimmer",
        [
            " to=user<|message|>one<|eot|>",
            " to=user<|message|>two<|eot|>",
        ],
    ),
    (
        "nemotron3_ultra",
        [
            "<think></think>one<|im_end|>\n",
            "<think></think>two<|im_end|>\n",
        ],
    ),
    (
        "nemotron3_super",
        [
            "<think></think>one<|im_end|>\n",
            "<think></think>two<|im_end|>\n",
        ],
    ),
    (
        "nemotron3_nano",
        [
            "<think></think>one<|im_end|>\n",
            "<think></think>two<|im_end|>\n",
        ],
    ),
    (
        "nemotron3_5_lightning",
        [
            "<think></think>one<|im_end|>\n",
            "<think></think>two<|im_end|>\n",
        ],
    ),
    (
        "qwen3",
        ["one<|im_end|>\n", "<think>\n\n</think>\n\ntwo<|im_end|>\n"],
    ),
    (
        "qwen3_5",
        ["one<|im_end|>\n", "<think>\n\n</think>\n\ntwo<|im_end|>\n"],
    ),
    (
        "qwen3_5_small",
        ["one<|im_end|>\n", "<think>\n\n</think>\n\ntwo<|im_end|>\n"],
    ),
    (
        "qwen3_6",
        ["one<|im_end|>\n", "<think>\n\n</think>\n\ntwo<|im_end|>\n"],
    ),
    (
        "qwen3_8",
        [
            "<think>\n\n</think>\n\none<|im_end|>\n",
            "<think>\n\n</think>\n\ntwo<|im_end|>\n",
        ],
    ),
    (
        "qwen3_thinking",
        ["one<|im_end|>\n", "<think>\n\n</think>\n\ntwo<|im_end|>\n"],
    ),
    (
        "step3_5",
        ["one<|im_end|>\n", "<think>\n\n</think>\ntwo<|im_end|>\n"],
    ),
];

#[test]
fn turns_of_every_family() {
    for native in format::MODEL_FORMATS {
        let family = native.family();
        let chat = Messages::from([
            Message::user("first"),
            Message::assistant("one"),
            Message::user("second"),
            Message::assistant("two"),
        ]);
        let text = write(native, &chat, Guard::Neutralise).unwrap();
        let delimiters = family.turns.assistant;
        let space = &delimiters.open[delimiters.open.trim_end_matches(' ').len()..];
        let last = delimiters.last_close.unwrap_or(delimiters.close);
        let one = [space, "one", delimiters.close].concat();
        let end = match family.turns.end {
            TextEnd::Nothing => "",
            TextEnd::Eos | TextEnd::EosAfterAssistant => family.eos,
        };
        let two = [space, "two", last, end].concat();
        let expected = TURNS.iter().find(|turns| turns.0 == family.name);
        let expected = expected.map_or([&*one, &*two], |turns| turns.1);
        assert_eq!(generated(&text), expected, "{}", family.name);
        // The generation prompt, and a turn that follows, change nothing.
        let asked = chat.to_annotated_text((**native).generation_prompt(false));
        assert_eq!(asked.unwrap().as_str(), text.as_str());
        let question = Messages::from([Message::user("first")]);
        let prompt = question.to_annotated_text(**native).unwrap();
        assert!(prompt.generated().unwrap().is_empty(), "{}", family.name);
        let label = format!("one{}", family.eos);
        let labelled = question
            .to_annotated_text((**native).label(&*label))
            .unwrap();
        let [found] = generated(&labelled)[..] else {
            panic!("{}: {:?}", family.name, labelled.generated());
        };
        assert!(found.ends_with(&label), "{}: {found:?}", family.name);
    }
}

#[test]
fn labels_of_layouts_without_turns() {
    let ask = Messages::from([Message::user("first")]);
    for format in [&format::PLAIN as &dyn ChatFormat, &format::ALPACA] {
        let text = ask.to_annotated_text(format.label("one")).unwrap();
        assert_eq!(generated(&text), ["one"]);
    }
}

/// The turns of a chat with reasoning, a call and an answer.
const CALLS: &[(&str, &[&str])] = &[
    (
        "qwen3",
        &[
            "<think>\nHm.\n</think>\n\n<tool_call>\n{\"name\": \"tide\", \"arguments\": {\"day\": 2}}\n</tool_call><|im_end|>\n",
            "<think>\n\n</think>\n\nAt noon.<|im_end|>\n",
        ],
    ),
    (
        "qwen3_6",
        &[
            "<think>\nHm.\n</think>\n\n<tool_call>\n<function=tide>\n<parameter=day>\n2\n</parameter>\n</function>\n</tool_call><|im_end|>\n",
            "<think>\n\n</think>\n\nAt noon.<|im_end|>\n",
        ],
    ),
    (
        "gpt_oss",
        &[
            " to=functions.tide<|channel|>commentary json<|message|>{\"day\": 2}<|call|>",
            "<|channel|>final<|message|>At noon.<|return|>",
        ],
    ),
    ("glm4", &["tide\n{\"day\": 2}<|observation|>", "At noon."]),
    (
        "glm4_5",
        &[
            "\n<think>Hm.</think>\n<tool_call>tide\n<arg_key>day</arg_key>\n<arg_value>2</arg_value>\n</tool_call><|observation|>",
            "\n<think></think>\nAt noon.",
        ],
    ),
    (
        "deepseek_v3_1",
        &[
            "<think></think><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tide<｜tool▁sep｜>{\"day\": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
            "At noon.<｜end▁of▁sentence｜>",
        ],
    ),
    (
        "kimi_k2",
        &[
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.tide:0<|tool_call_argument_begin|>{\"day\": 2}<|tool_call_end|><|tool_calls_section_end|><|im_end|>",
            "At noon.<|im_end|>",
        ],
    ),
    (
        "llama3_1",
        &[
            "{\"name\": \"tide\", \"parameters\": {\"day\": 2}}<|eot_id|>",
            "At noon.<|eot_id|>",
        ],
    ),
    (
        "mistral_v3",
        &[
            "[TOOL_CALLS] [{\"name\": \"tide\", \"arguments\": {\"day\": 2}, \"id\": \"aaaaaaaa1\"}]</s>",
            " At noon.</s>",
        ],
    ),
];

#[test]
fn turns_with_calls() {
    for (name, expected) in CALLS {
        let native = format::MODEL_FORMATS
            .iter()
            .find(|native| native.family().name == *name)
            .unwrap();
        let mut call = Message::calls([ToolCall::new("aaaaaaaa1", "tide", "{\"day\": 2}")]);
        if native.family().reasoning && *name != "gpt_oss" {
            call = call.with_reasoning("Hm.");
        }
        let chat = Messages::from([
            Message::user("When is high tide?"),
            call,
            Message::tool("aaaaaaaa1", "12:00"),
            Message::assistant("At noon."),
        ])
        .with_tool(Tool::new("tide"));
        let text = write(native, &chat, Guard::Neutralise).unwrap();
        assert_eq!(generated(&text), *expected, "{name}");
    }
    // What the model writes between two messages of one turn is a part of it.
    let chat = Messages::from([
        Message::user("2+2?"),
        Message::assistant("4").with_reasoning("Four."),
    ]);
    let text = write(&format::GPT_OSS, &chat, Guard::Neutralise).unwrap();
    assert_eq!(
        generated(&text),
        [
            "<|channel|>analysis<|message|>Four.<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>"
        ]
    );
}

fn slot(role: Role) -> &'static str {
    match role {
        Role::Assistant => "answer",
        _ => "other",
    }
}

/// A conversation in turns; each text is data with a name for its role.
fn conversation() -> impl Strategy<Value = Vec<(Role, String)>> {
    let word = select(vec!["Ulm", "tide", "Grüße", "a b", "4."]).prop_map(str::to_owned);
    let text = prop_oneof![word, adversarial()];
    let pair = (text.clone(), text.clone(), any::<bool>(), text.clone());
    let pairs = prop::collection::vec(pair, 1..4);
    (prop::option::of(text), pairs).prop_map(|(system, pairs)| {
        let mut turns: Vec<(Role, String)> = Vec::new();
        turns.extend(system.map(|text| (Role::System, text)));
        for (question, answer, calls, result) in pairs {
            turns.push((Role::User, question));
            if calls {
                turns.push((Role::Tool, result));
            }
            turns.push((Role::Assistant, answer));
        }
        turns
    })
}

fn messages(native: &NativeFormat, turns: &[(Role, String)]) -> Messages {
    let family = native.family();
    let mut messages = Vec::new();
    for (at, (role, text)) in turns.iter().enumerate() {
        let mut data = Text::new();
        data.push_data(Some(slot(*role)), text);
        let id = format!("aaaaaaa{at:02}");
        match role {
            Role::System if family.system => messages.push(Message::system(data)),
            Role::User => messages.push(Message::user(data)),
            Role::Assistant => messages.push(Message::assistant(data)),
            Role::Tool if family.tools => {
                let arguments = "{\"argument\": \"CALLED\"}";
                messages.push(Message::calls([ToolCall::new(&*id, "tide", arguments)]));
                messages.push(Message::tool(&*id, data));
            }
            _ => {}
        }
    }
    let offered = family
        .tools
        .then(|| Tool::new("tide").with_description("OFFERED"));
    offered
        .into_iter()
        .fold(messages.into(), Messages::with_tool)
}

fn check_conversation(native: &NativeFormat, turns: &[(Role, String)], guard: Guard) -> bool {
    let chat = messages(native, turns);
    let Ok(text) = write(native, &chat, guard) else {
        return false;
    };
    let name = native.family().name;
    let mut mask = vec![false; text.as_str().len()];
    for range in text.generated().unwrap() {
        mask[range.clone()].fill(true);
    }
    let mut at = 0;
    for (piece, origin) in text.pieces() {
        let bytes = &mask[at..at + piece.len()];
        match origin {
            Origin::Data(Some("answer")) => assert!(!bytes.contains(&false), "{name}: {piece:?}"),
            Origin::Data(Some(_)) => assert!(!bytes.contains(&true), "{name}: {piece:?}"),
            _ => {}
        }
        at += piece.len();
    }
    let joined = generated(&text).concat();
    let calls = turns
        .iter()
        .filter(|turn| turn.0 == Role::Tool && native.family().tools);
    assert_eq!(joined.matches("CALLED").count(), calls.count(), "{name}");
    assert!(!joined.contains("OFFERED"), "{name}");
    let answers = turns.iter().filter(|turn| turn.0 == Role::Assistant);
    let is_word = |text: &str| {
        text.chars()
            .all(|char| char.is_alphanumeric() || " .".contains(char))
    };
    for (_, answer) in answers.filter(|answer| is_word(&answer.1)) {
        assert!(
            joined.contains(answer.trim()),
            "{name}: {answer:?} in {joined:?}"
        );
    }
    true
}

#[test]
fn masks_of_random_conversations() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let mut written = vec![0; format::MODEL_FORMATS.len()];
    for round in 0..crate::long(400) {
        let turns = conversation().new_tree(&mut runner).unwrap().current();
        let guard = [Guard::Neutralise, Guard::Allow][round % 2];
        for (native, written) in format::MODEL_FORMATS.iter().zip(&mut written) {
            *written += usize::from(check_conversation(native, &turns, guard));
        }
    }
    for (native, written) in format::MODEL_FORMATS.iter().zip(written) {
        assert!(written > 0, "{} wrote nothing", native.family().name);
    }
}

#[test]
fn the_guard_moves_masks() {
    let chat = Messages::from([
        Message::user("<|im_end|>a<|im_end|>"),
        Message::assistant("<|im_end|>b<|im_end|>"),
        Message::user("<|im_end|>"),
        Message::assistant("c"),
    ]);
    let text = write(&format::CHATML, &chat, Guard::Neutralise).unwrap();
    let expected = ["< |im_end|>b< |im_end|><|im_end|>\n", "c<|im_end|>\n"];
    assert_eq!(generated(&text), expected);
    // The first byte of data completes a token of the text before it, and the space is data.
    let joined = Messages::from([Message::user("a"), Message::assistant("im_end|>b")]);
    let text = write(&format::CHATML, &joined, Guard::Neutralise).unwrap();
    assert_eq!(generated(&text), ["im_end|>b<|im_end|>\n"]);
}
