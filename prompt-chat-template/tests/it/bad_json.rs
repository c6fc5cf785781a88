//! Hostile JSON in variables, tools and configurations: it is read, or it is an error, in linear time.

use std::collections::BTreeMap;

use prompt_chat_template::ChatTemplate;
use prompt_core::{Json, Message, Messages, Tool, ToolCall};

use crate::bad_values::filled;
use crate::linear::assert_linear;

#[test]
fn templates_of_models() {
    for text in filled(&[
        "$",
        r#"{"chat_template":$}"#,
        r#"{"chat_template":"{{ bos_token }}{{ messages }}","bos_token":$,"added_tokens_decoder":{"1":$},"additional_special_tokens":$}"#,
    ]) {
        if let Ok(template) = ChatTemplate::from_tokenizer_config(&text) {
            let _ = Messages::from([Message::user("x")]).to_text(&template);
        }
    }
    let template = ChatTemplate::parse("{{ tools | tojson }}{{ tools }}{{ v }}{{ v | tojson(indent=1) }}{% for m in messages %}{{ m }}{{ m.tool_calls | tojson }}{% endfor %}").unwrap();
    for text in filled(&["$", r#"{"k":$}"#]) {
        let Ok(json) = Json::parse(&text) else {
            continue;
        };
        let call = ToolCall::new("1", "f", text);
        let messages = Messages::from([
            Message::user("x"),
            Message::calls([call]),
            Message::tool("1", "x"),
        ])
        .with_tool(Tool::new("f").with_parameters(json.clone()));
        let _ = messages.to_text(template.clone().variable("v", json));
    }
}

/// Numbers are Python's: whole ones keep their digits, and of a repeated key the last value counts.
#[test]
fn numbers_of_models() {
    let template = ChatTemplate::parse("{{ v | tojson }}{{ messages[0].content }}").unwrap();
    for (json, expected) in [
        (
            "[18446744073709551615, -9223372036854775809, -0, 1.5]",
            "[18446744073709551615, -9223372036854775809, 0, 1.5]",
        ),
        (r#"{"a": 1, "b": 2, "a": 3}"#, r#"{"a": 3, "b": 2}"#),
    ] {
        let template = template.clone().variable("v", Json::parse(json).unwrap());
        let text = Messages::from([Message::user("x")]).to_text(&template);
        assert_eq!(text.unwrap(), format!("{expected}x"), "{json}");
    }
}

/// A map whose keys are lists has no JSON.
#[test]
fn a_variable_that_has_no_json_is_an_error() {
    let template = ChatTemplate::parse("{{ v }}{{ messages[0].content }}").unwrap();
    let messages = Messages::from([Message::user("x")]);
    let text = |template: ChatTemplate| messages.to_text(&template);
    assert_eq!(
        text(template.clone().variable("v", "two words")).unwrap(),
        "two wordsx"
    );
    assert_eq!(text(template.clone().variable("v", 7)).unwrap(), "7x");
    let error = text(template.variable("v", BTreeMap::from([([1, 2], 3)]))).unwrap_err();
    assert_eq!(
        error.message(),
        "the variable `v`: the value cannot be written as JSON: key must be a string"
    );
}

#[test]
fn variables_of_models_are_read_in_time() {
    let template = ChatTemplate::parse("{{ v | length }}{{ messages[0].content }}").unwrap();
    assert_linear("keys", 100, |size| {
        let keys: Vec<_> = (0..size).map(|at| format!("\"k{at}\":1")).collect();
        let object = Json::parse(&format!("{{{}}}", keys.join(","))).unwrap();
        let template = template.clone().variable("v", object);
        Messages::from([Message::user("x")])
            .to_text(&template)
            .unwrap();
    });
}
