//! Lamini's recorded hydrations that its own layouts cover.

use prompt_compat::lamini;
use prompt_core::format::NativeFormat;
use prompt_core::{ChatFormat, Message, Messages};
use serde_json::Value;

fn layout(template: &str) -> Option<NativeFormat> {
    Some(match template {
        "[INST] <<SYS>>\n{input:system}\n<</SYS>>\n{input:user} [/INST]" => lamini::LLAMA2,
        "<s>[INST] <<SYS>>\n{input:system}\n<</SYS>>\n\n{input:user} [/INST]{input:cue}" => {
            lamini::LLAMA2_BLANK_LINE
        }
        "[INST] {input:system} {input:user} [/INST]" => lamini::MISTRAL,
        _ if template.starts_with("Below is") => lamini::ALPACA,
        _ => return None,
    })
}

#[test]
fn goldens() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/goldens/lamini.json");
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut checked = 0;
    for case in &cases {
        let Some(layout) = layout(case["template"].as_str().unwrap()) else {
            continue;
        };
        let input = &case["input"];
        let user = input
            .get("user")
            .or_else(|| input.get("question"))
            .and_then(Value::as_str)
            .unwrap();
        let system = input
            .get("system")
            .and_then(Value::as_str)
            .map(Message::system);
        let messages: Messages = system.into_iter().chain([Message::user(user)]).collect();
        let cue = input.get("cue").and_then(Value::as_str).unwrap_or_default();
        let text = messages.to_text(layout.label(cue)).unwrap();
        assert_eq!(Value::from(text), case["expect"], "{}", case["id"]);
        checked += 1;
    }
    assert_eq!(checked, 7);
}

#[test]
fn errors() {
    let error = Messages::from([Message::system("s"), Message::user("u")])
        .to_text(lamini::ALPACA)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "message 0 (system) holds instructions, which Lamini's Alpaca does not support; put the instructions into the user message"
    );
    let history = Messages::from([
        Message::user("u"),
        Message::assistant("a"),
        Message::user("u"),
    ]);
    for layout in [
        lamini::LLAMA2,
        lamini::LLAMA2_BLANK_LINE,
        lamini::MISTRAL,
        lamini::MISTRAL_BOS,
        lamini::LLAMA3,
    ] {
        assert_eq!(
            history.to_text(layout).unwrap_err().message_index(),
            Some(1)
        );
    }
}
