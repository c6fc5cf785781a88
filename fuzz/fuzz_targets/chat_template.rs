//! A model's own chat template: it is refused, or renders within its limits, and its data contains no control token.

#![no_main]

use libfuzzer_sys::fuzz_target;
use typed_prompt::{ChatFormat, ChatTemplate, Message, Messages, Tool, ToolCall};

fuzz_target!(|input: (&str, &str, &str)| {
    let (template, data, token) = input;
    let Ok(template) = ChatTemplate::parse(template) else {
        return;
    };
    let template = template
        .max_steps(100_000)
        .max_output(1 << 20)
        .max_memory(64 << 20)
        .lenient()
        .control_tokens([token]);
    let messages = Messages::from([
        Message::system(data),
        Message::user(data),
        Message::calls([ToolCall::new("1", data, r#"{"a": [1, "b"]}"#)]),
        Message::tool("1", data),
        Message::assistant(data).with_reasoning(data),
        Message::user(token),
    ])
    .with_tool(Tool::new("search").with_description(data));
    let Ok(wrapped) = messages.to_annotated_text(&template) else {
        return;
    };
    if token.chars().count() > 1 {
        let mut at = 0;
        for (piece, origin) in wrapped.pieces() {
            let is_data = matches!(origin, typed_prompt::message::Origin::Data(_));
            assert!(!is_data || !piece.contains(token), "{piece:?} at {at}");
            at += piece.len();
        }
    }
});
