//! Answers in OpenAI's protocol, as servers write them.

use prompt_core::{FinishReason, Reply, ToolCall, Usage};
use serde_json::{Value, json};

const NO_MESSAGE: &str =
    "the server's answer has no message; give the whole body that `/chat/completions` answers with";

#[track_caller]
fn check(body: &Value, expected: Result<Reply, &str>) {
    let read = Reply::from_openai(body).map_err(|error| error.to_string());
    assert_eq!(read, expected.map_err(str::to_owned), "{body}");
}

/// The body of an answer with this message.
fn said(message: &Value) -> Value {
    json!({"choices": [{"message": message}]})
}

fn reasoned(text: &str, reasoning: &str) -> Reply {
    let mut reply = Reply::new(text);
    reply.reasoning = Some(reasoning.to_owned());
    reply
}

fn refused(text: &str) -> Reply {
    let mut reply = Reply::new(text);
    reply.finish = Some(FinishReason::ContentFilter);
    reply
}

fn called(arguments: &str) -> Reply {
    let mut reply = Reply::calls([ToolCall {
        id: None,
        ..ToolCall::new("", "add", arguments)
    }]);
    reply.finish = None;
    reply
}

#[test]
fn the_content_of_a_message_is_read() {
    for (message, expected) in [
        (json!({"content": "  4\n"}), Reply::new("  4\n")),
        (json!({"content": null}), Reply::new("")),
        (json!({}), Reply::new("")),
        (json!({"content": ["4", {"text": "2"}]}), Reply::new("42")),
        (
            json!({"content": "4", "reasoning_content": "Easy."}),
            reasoned("4", "Easy."),
        ),
        (
            json!({"content": "4", "reasoning": "Easy."}),
            reasoned("4", "Easy."),
        ),
        (
            json!({"content": [{"thinking": [{"text": "Easy."}]}, {"text": "4"}]}),
            reasoned("4", "Easy."),
        ),
        (
            json!({"content": null, "refusal": "I will not."}),
            refused("I will not."),
        ),
        (
            json!({"content": [{"refusal": "I will not."}]}),
            refused("I will not."),
        ),
        (
            json!({"tool_calls": [{"function": {"name": "add", "arguments": "{\"a\": 2}"}}]}),
            called("{\"a\": 2}"),
        ),
        (
            json!({"tool_calls": {"function": {"name": "add", "arguments": {"a": 2}}}}),
            called("{\"a\":2}"),
        ),
        (
            json!({"function_call": {"name": "add", "arguments": "{}"}}),
            called("{}"),
        ),
    ] {
        check(&said(&message), Ok(expected));
    }
}

#[test]
fn fields_beside_the_message_are_read() {
    let mut expected = Reply::new("4").with_usage(Usage::new(5, 7));
    expected.model = Some("m-1".to_owned());
    expected.finish = Some(FinishReason::Length);
    let choice = |index, text| json!({"index": index, "message": {"content": text}, "finish_reason": "length"});
    let body = json!({
        "model": "m-1",
        "error": null,
        "choices": [choice(1, "another"), choice(0, "4")],
        "usage": {"prompt_tokens": 5, "completion_tokens": 7},
    });
    check(&body, Ok(expected));
}

#[test]
fn json_that_is_not_an_answer_is_rejected() {
    for (body, expected) in [
        (
            json!({"error": {"message": "no such model"}}),
            "the server answers with an error: no such model",
        ),
        (
            json!({"error": "no such model"}),
            "the server answers with an error: no such model",
        ),
        (
            json!({"error": {"code": 7}}),
            "the server answers with an error: {\"code\":7}",
        ),
        (
            json!({"object": "error", "message": "too long"}),
            "the server answers with an error: too long",
        ),
        (
            json!({"choices": [{"error": {"message": "overloaded"}, "message": {"content": "4"}}]}),
            "the server answers with an error: overloaded",
        ),
        (json!({}), NO_MESSAGE),
        (json!(null), NO_MESSAGE),
        (json!({"choices": []}), NO_MESSAGE),
        (said(&json!("4")), NO_MESSAGE),
        (
            said(&json!({"content": 4})),
            "the server's answer has a message that is not text",
        ),
        (
            said(&json!({"content": [{"image": "x"}]})),
            "the server's answer has a message that is not text",
        ),
        (
            said(&json!({"tool_calls": [{"function": {}}]})),
            "the server's answer has a tool call without a name",
        ),
    ] {
        check(&body, Err(expected));
    }
}
