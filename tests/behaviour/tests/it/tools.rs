//! Tools and calls: definitions in both forms, which are kept unchanged.

use serde_json::json;
use typed_prompt::{ErrorKind, Prompt, Tool, format, message::Json};

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask<T: typed_prompt::tool::ToTools> {
    question: &'static str,
    #[prompt(tools, trusted)]
    tools: T,
}

#[test]
fn a_definition_keeps_its_keys_and_their_order() {
    for text in [
        r#"{"type":"function","function":{"name":"b","zeta":1,"alpha":{"y":1e2,"x":null},"description":"Ü"}}"#,
        r#"{"type":"function","function":{"name":"b","parameters":{"type":"object","properties":{}},"strict":true}}"#,
    ] {
        let tools = vec![Tool::from_json(&Json::parse(text).unwrap()).unwrap()];
        let messages = Ask {
            question: "?",
            tools,
        }
        .messages()
        .unwrap();
        assert_eq!(
            serde_json::to_string(messages.tools()).unwrap(),
            format!("[{text}]")
        );
    }
}

#[test]
fn a_wrong_definition_is_an_error_with_its_index() {
    let good = json!({"type": "function", "function": {"name": "a"}});
    for (bad, words) in [
        (json!({"type": "function", "function": {}}), "has no name"),
        (
            json!({"type": "function", "function": {"name": ""}}),
            "name is empty",
        ),
        (
            json!({"type": "function", "function": {"name": 1}}),
            "not a string",
        ),
        (json!({"type": "function"}), "has no name"),
        (json!("a"), "a tool is an object"),
        (json!(null), "a tool is an object"),
        (json!({"type": "retrieval"}), "`type`"),
    ] {
        let messages = Ask {
            question: "?",
            tools: json!([good, bad]),
        }
        .messages();
        let error = messages.expect_err(&bad.to_string());
        assert_eq!(error.kind(), ErrorKind::Tool);
        assert!(error.to_string().contains("tools[1]"), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn without_tools_there_is_no_key() {
    let body = serde_json::to_value(
        Ask {
            question: "?",
            tools: Vec::<Tool>::new(),
        }
        .messages()
        .unwrap()
        .openai(),
    )
    .unwrap();
    assert_eq!(
        body,
        json!({"messages": [{"role": "user", "content": "?"}]})
    );
    let none = Ask {
        question: "?",
        tools: None::<Vec<Tool>>,
    }
    .messages()
    .unwrap();
    assert!(none.tools().is_empty());
}

#[test]
fn tools_in_a_format_without_tools_are_an_error() {
    let error = Ask {
        question: "?",
        tools: vec![Tool::new("add")],
    }
    .to_text(format::ALPACA)
    .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("`add`"), "{error}");
}
