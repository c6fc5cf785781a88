//! Prefixes: a format that preserves them does so for other conversations than those that `is_prefix_preserving` renders.

use prompt_core::format::{self, FormatOptions, NativeFormat};
use prompt_core::{ChatFormat, Guard, Message, Messages, Role, Tool, ToolCall};

/// A conversation with instructions, several calls at a time and calls in a row, as far as a format takes them.
fn conversations() -> Vec<Messages> {
    let call = |id: &str| ToolCall::new(id, "tide", "{\"day\": 2, \"place\": \"Ulm\"}");
    let user = Message::user;
    let steps = [
        user("Grüße, wann ist Flut?"),
        Message::calls([call("aaaaaaaa1")]),
        Message::tool("aaaaaaaa1", "{\"at\": null}"),
        Message::calls([call("aaaaaaaa2"), call("aaaaaaaa3")]),
        Message::tool("aaaaaaaa2", "6:12"),
        Message::tool("aaaaaaaa3", "18:30"),
        Message::assistant("6:12 and 18:30."),
        user("Thanks\n\n1. one\n2. two"),
        Message::assistant("You're welcome."),
        user("Bye"),
    ];
    let plain = [
        Message::system("Answer in one word."),
        user("a b\n\nc"),
        Message::assistant("x"),
        user("d"),
        Message::assistant("y\n\nz"),
        user("e"),
        Message::assistant("w"),
        user("f"),
    ];
    let offered = Messages::from(steps.clone()).with_tool(Tool::new("tide"));
    vec![
        plain[1..].to_vec().into(),
        plain.to_vec().into(),
        offered,
        steps.to_vec().into(),
    ]
}

/// The first text that does not begin with the text before it.
fn broken(native: NativeFormat, conversation: &Messages) -> Option<(String, String)> {
    let mut before = String::new();
    for (at, message) in conversation.iter().enumerate() {
        let next = conversation.as_slice().get(at + 1);
        // Results of one message belong together.
        if message.role == Role::System
            || next.is_some_and(|next| next.role == Role::Tool && message.role == Role::Tool)
        {
            continue;
        }
        let answer = message.role == Role::Assistant;
        let options = FormatOptions::new()
            .guard(Guard::Allow)
            .generation_prompt(!answer)
            .eos(!answer);
        let turns = Messages::from(conversation.as_slice()[..=at].to_vec());
        let turns = conversation
            .tools()
            .iter()
            .cloned()
            .fold(turns, Messages::with_tool);
        let text = turns.to_text(native.options(options)).ok()?;
        if !text.starts_with(&before) {
            return Some((before, text));
        }
        before = text;
    }
    None
}

#[test]
fn prefixes_are_preserved_where_a_format_says_so() {
    for native in format::MODEL_FORMATS {
        let name = native.family().name;
        let broken = conversations()
            .iter()
            .find_map(|conversation| broken(**native, conversation));
        if native.is_prefix_preserving() {
            assert_eq!(broken, None, "{name}");
        }
    }
}

#[test]
fn options_of_the_last_turn_do_not_count() {
    assert!(!format::QWEN3.thinking(false).is_prefix_preserving());
    assert!(
        format::LLAMA3
            .continued()
            .label("Yes")
            .is_prefix_preserving()
    );
}
