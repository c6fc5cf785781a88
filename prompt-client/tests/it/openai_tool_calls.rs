//! Tool calls in OpenAI's protocol as real servers write them, whole and streamed.

use prompt_core::{FinishReason, ToolCall};
use serde_json::{Value, json};

use crate::openai_responses::{body, read, streamed};

#[tokio::test]
async fn tool_calls_are_unchanged() {
    let call = |id: Option<&str>, arguments: &str| ToolCall {
        id: id.map(str::to_owned),
        name: "add".to_owned(),
        arguments: arguments.to_owned(),
    };
    let function = |arguments: Value| json!({"name": "add", "arguments": arguments});
    let long = r#"{"b": 1, "a": 12345678901234567890123}"#;
    for (told, expected) in [
        (
            json!({"id": "c", "type": "function", "function": function(json!(long))}),
            call(Some("c"), long),
        ),
        (
            json!({"id": "c", "function": function(json!({"b": 1, "a": 2}))}),
            call(Some("c"), r#"{"b":1,"a":2}"#),
        ),
        (
            json!({"id": "c", "function": function(json!("{\"a\": 1"))}),
            call(Some("c"), "{\"a\": 1"),
        ),
        (
            json!({"id": null, "function": function(json!({}))}),
            call(None, "{}"),
        ),
        (
            json!({"id": "", "function": function(json!(""))}),
            call(None, ""),
        ),
        (
            json!({"id": 7, "function": function(Value::Null)}),
            call(Some("7"), ""),
        ),
        (json!({"function": {"name": "add"}}), call(None, "")),
        (json!({"name": "add", "arguments": {}}), call(None, "{}")),
    ] {
        for told in [json!([told]), told.clone()] {
            let reply = read(&body(&json!({"tool_calls": told}), "tool_calls"))
                .await
                .0
                .unwrap();
            assert_eq!(reply.tool_calls, std::slice::from_ref(&expected), "{told}");
        }
    }
    let old = json!({"content": null, "function_call": function(json!("{}"))});
    let reply = read(&body(&old, "function_call")).await.0.unwrap();
    assert_eq!(
        (&reply.tool_calls[..], reply.finish),
        (&[call(None, "{}")][..], Some(FinishReason::ToolCalls))
    );
    // Each is a separate call, whatever its id is.
    let twice = json!({"id": "c", "function": function(json!({}))});
    let reply = read(&body(&json!({"tool_calls": [twice, twice]}), "tool_calls"))
        .await
        .0
        .unwrap();
    assert_eq!(reply.tool_calls.len(), 2);
    let nameless = json!({"tool_calls": [{"id": "c", "function": {"arguments": "{}"}}]});
    let error = read(&body(&nameless, "tool_calls")).await.0.unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the server's answer has a tool call without a name: "),
        "{error}"
    );
}

#[tokio::test]
async fn tool_call_deltas_are_joined() {
    let piece = |calls: Value| json!({"choices": [{"delta": {"tool_calls": calls}}]}).to_string();
    let told = |calls: &[ToolCall]| {
        let told = calls.iter().map(|call| {
            format!(
                "{}:{}{}",
                call.id.as_deref().unwrap_or("-"),
                call.name,
                call.arguments
            )
        });
        told.collect::<Vec<_>>().join(" ")
    };
    let whole = |index: Value, id: Value, name: &str, arguments: Value| json!([{"index": index, "id": id, "function": {"name": name, "arguments": arguments}}]);
    let none = Value::Null;
    for (pieces, expected) in [
        // As OpenAI does it: numbers, and an id and a name once.
        (
            vec![
                whole(json!(0), json!("a"), "f", json!("")),
                json!([{"index": 0, "function": {"arguments": "{"}}]),
                json!([{"index": 0, "id": null, "function": {"name": null, "arguments": "}"}}]),
            ],
            "a:f{}",
        ),
        (
            vec![
                whole(json!(0), json!("a"), "f", json!("{")),
                whole(json!(1), json!("b"), "g", json!("[")),
                json!([{"index": 0, "function": {"arguments": "}"}}]),
                json!([{"index": 1, "function": {"arguments": "]"}}]),
            ],
            "a:f{} b:g[]",
        ),
        // The id and the name again with every piece, or another id, or a name without one.
        (
            vec![
                whole(json!(0), json!("a"), "f", json!("{")),
                whole(json!(0), json!("a"), "f", json!("}")),
            ],
            "a:f{}",
        ),
        (
            vec![
                whole(json!(0), json!("a"), "f", json!("{")),
                json!([{"index": 0, "id": "x", "function": {"arguments": "}"}}]),
            ],
            "a:f{}",
        ),
        (
            vec![
                whole(json!(0), json!("a"), "f", json!("{")),
                whole(json!(0), none.clone(), "f", json!("}")),
            ],
            "a:f{}",
        ),
        // Numbers that begin with another one than 0.
        (vec![whole(json!(1), json!("a"), "f", json!("{}"))], "a:f{}"),
        (
            vec![whole(
                json!(4_000_000_000_u64),
                json!("a"),
                "f",
                json!("{}"),
            )],
            "a:f{}",
        ),
        // Whole calls, without numbers, or all with the same.
        (
            vec![whole(none.clone(), json!("a"), "f", json!({"x": 1}))],
            r#"a:f{"x":1}"#,
        ),
        (
            vec![
                whole(none.clone(), json!("a"), "f", json!("{}")),
                whole(none.clone(), json!("b"), "f", json!("{}")),
            ],
            "a:f{} b:f{}",
        ),
        (
            vec![
                whole(none.clone(), none.clone(), "f", json!("{}")),
                whole(none.clone(), none.clone(), "f", json!("{}")),
            ],
            "-:f{} -:f{}",
        ),
        (
            vec![
                whole(json!(0), json!("a"), "f", json!("{}")),
                whole(json!(0), json!("b"), "g", json!("{}")),
            ],
            "a:f{} b:g{}",
        ),
        (
            vec![
                whole(json!(0), json!(""), "f", json!("{}")),
                whole(json!(0), json!(""), "f", json!("{}")),
            ],
            "-:f{} -:f{}",
        ),
        // Pieces without numbers belong to the last call.
        (
            vec![
                whole(none.clone(), json!("a"), "f", json!("{")),
                json!([{"function": {"arguments": "}"}}]),
            ],
            "a:f{}",
        ),
        // A name in parts, or growing, or repeated.
        (
            vec![
                whole(json!(0), json!("a"), "ca", none.clone()),
                whole(json!(0), none.clone(), "lc", json!("{}")),
            ],
            "a:calc{}",
        ),
        (
            vec![
                whole(json!(0), json!("a"), "ca", json!("{")),
                whole(json!(0), json!("a"), "calc", json!("}")),
                whole(json!(0), json!("a"), "calc", json!("")),
            ],
            "a:calc{}",
        ),
        // Calls in the order of their numbers.
        (
            vec![
                whole(json!(1), json!("b"), "g", json!("[")),
                whole(json!(0), json!("a"), "f", json!("{")),
                json!([{"index": 1, "function": {"arguments": "]"}}]),
                json!([{"index": 0, "function": {"arguments": "}"}}]),
            ],
            "a:f{} b:g[]",
        ),
        (
            vec![
                whole(json!(1.0), json!("b"), "g", json!("{}")),
                whole(json!("0"), json!("a"), "f", json!("{}")),
            ],
            "a:f{} b:g{}",
        ),
        // The whole call again, or the call so far, with every piece.
        (
            vec![
                whole(json!(0), json!("a"), "f", json!(r#"{"e":"1"}"#)),
                whole(json!(0), json!("a"), "f", json!(r#"{"e":"1"}"#)),
            ],
            r#"a:f{"e":"1"}"#,
        ),
        (
            vec![
                whole(json!(0), json!("a"), "f", json!("")),
                whole(json!(0), json!("a"), "f", json!(r#"{"e""#)),
                whole(json!(0), json!("a"), "f", json!(r#"{"e":"1""#)),
                whole(json!(0), json!("a"), "f", json!("")),
                whole(json!(0), json!("a"), "f", json!(r#"{"e":"1"}"#)),
            ],
            r#"a:f{"e":"1"}"#,
        ),
        // Pieces that begin alike are still pieces.
        (
            vec![
                whole(json!(0), json!("a"), "f", json!(r#"{"x":"#)),
                whole(json!(0), json!("a"), "f", json!(r#"{"x":1}}"#)),
            ],
            r#"a:f{"x":{"x":1}}"#,
        ),
        (
            vec![
                whole(json!(0), json!("a"), "f", json!("1")),
                whole(json!(0), json!("a"), "f", json!("1")),
            ],
            "a:f11",
        ),
    ] {
        let mut events: Vec<String> = pieces.into_iter().map(piece).collect();
        events.push(json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}).to_string());
        let events: Vec<&str> = events
            .iter()
            .map(String::as_str)
            .chain(["[DONE]"])
            .collect();
        let reply = streamed(&events).await.0.unwrap();
        assert_eq!(
            (&*told(&reply.tool_calls), reply.finish),
            (expected, Some(FinishReason::ToolCalls)),
            "{events:?}"
        );
    }
}
