//! Responses in OpenAI's protocol as real servers write them: no text is lost, and a response without an answer is an error.

use prompt_client::{ApiKey, CallErrorKind, ChatModel, StreamingLlm};
use prompt_core::{FinishReason, Llm, Reply, Result, Usage};
use serde_json::{Value, json};

use crate::server::{Answer, Server};
use crate::{call_error, chat, hello, text};

pub(crate) fn body(message: &Value, reason: &str) -> Value {
    json!({"model": "m-1", "choices": [{"index": 0, "finish_reason": reason, "message": message}]})
}

/// The reply that a chat model parses from a body, and the number of requests.
pub(crate) async fn read(body: &Value) -> (Result<Reply>, usize) {
    let server = Server::start([Answer::json(200, body), Answer::chat("again")]).await;
    let reply = chat(&server).send(&hello()).await;
    (reply, server.asked().len())
}

/// The reply that it parses from these events.
pub(crate) async fn streamed(events: &[&str]) -> (Result<Reply>, usize) {
    let events = events
        .iter()
        .fold(Answer::stream(), |answer, event| answer.event(event));
    let again = r#"{"choices":[{"delta":{"content":"again"},"finish_reason":"stop"}]}"#;
    let server = Server::start([events, Answer::stream().event(again)]).await;
    let llm = chat(&server);
    let request = hello();
    let reply = match llm.stream(&request).await {
        Ok(stream) => stream.finish().await,
        Err(error) => Err(error),
    };
    (reply, server.asked().len())
}

#[tokio::test]
async fn text_is_unchanged() {
    for (message, text) in [
        (
            json!({"content": "    indented\n  code\n"}),
            "    indented\n  code\n",
        ),
        (json!({"content": null}), ""),
        (json!({}), ""),
        (
            json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": " b"}]}),
            "a b",
        ),
        (
            json!({"content": [{"type": "output_text", "text": "a"}, "b"]}),
            "ab",
        ),
        (
            json!({"content": [{"type": "text", "text": "a"}, {"type": "reference", "reference_ids": [1]}]}),
            "a",
        ),
    ] {
        let reply = read(&body(&message, "stop")).await.0.unwrap();
        assert_eq!(
            (&*reply.text, reply.finish),
            (text, Some(FinishReason::Stop)),
            "{message}"
        );
    }
}

#[tokio::test]
async fn refusals_are_reported_as_filtered() {
    let parts = json!({"content": [{"type": "refusal", "refusal": "I will not."}]});
    let alone = json!({"content": null, "refusal": "I will not."});
    for message in [parts, alone] {
        let reply = read(&body(&message, "stop")).await.0.unwrap();
        assert_eq!(
            (&*reply.text, reply.finish),
            ("I will not.", Some(FinishReason::ContentFilter)),
            "{message}"
        );
    }
    let reply = streamed(&[
        r#"{"choices":[{"delta":{"refusal":"I will"}}]}"#,
        r#"{"choices":[{"delta":{"refusal":" not."}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
        "[DONE]",
    ]);
    let reply = reply.await.0.unwrap();
    assert_eq!(
        (&*reply.text, reply.finish),
        ("I will not.", Some(FinishReason::ContentFilter))
    );
}

#[tokio::test]
async fn reasoning_is_found_in_every_notation() {
    let thinking = json!([{"type": "thinking", "thinking": [{"type": "text", "text": "So."}]}, {"type": "text", "text": "4"}]);
    for message in [
        json!({"content": "4", "reasoning_content": "So."}),
        json!({"content": "4", "reasoning": "So."}),
        json!({"content": "4", "reasoning": null, "reasoning_content": "So."}),
        json!({"content": "4", "reasoning": "So.", "reasoning_content": null}),
        json!({"content": thinking}),
    ] {
        let reply = read(&body(&message, "stop")).await.0.unwrap();
        assert_eq!(
            (&*reply.text, reply.reasoning.as_deref()),
            ("4", Some("So.")),
            "{message}"
        );
    }
}

#[tokio::test]
async fn error_objects_in_responses_are_errors() {
    let busy = json!({"message": "Provider returned error", "code": 502});
    let failed = json!([{"finish_reason": "error", "error": busy, "message": {"content": ""}}]);
    for body in [
        json!({"error": busy}),
        json!({"choices": failed}),
        json!({"error": "Provider returned error"}),
    ] {
        let (reply, asked) = read(&body).await;
        assert_eq!((&*reply.unwrap().text, asked), ("again", 2), "{body}");
        let (reply, asked) = streamed(&[&body.to_string()]).await;
        assert_eq!((&*reply.unwrap().text, asked), ("again", 2), "{body}");
    }
    for error in [
        json!({"message": "no such model", "code": 404}),
        json!({"message": "no such model", "code": "404"}),
        json!({"message": "no such model", "type": "invalid_request_error"}),
        json!({"message": "no such model", "code": "invalid_request_error"}),
    ] {
        let body = json!({"error": error});
        for (reply, asked) in [read(&body).await, streamed(&[&body.to_string()]).await] {
            let error = reply.unwrap_err();
            assert_eq!(
                (call_error(&error).kind(), asked),
                (CallErrorKind::Refused, 1),
                "{body}"
            );
            assert!(error.to_string().ends_with("no such model"), "{error}");
        }
        let server = Server::start([Answer::json(200, &body)]).await;
        let error = text(&server).send(&hello()).await.unwrap_err();
        assert_eq!(call_error(&error).kind(), CallErrorKind::Refused, "{body}");
    }
    let server = Server::start([
        Answer::json(
            200,
            &json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        ),
        Answer::json(
            200,
            &json!({"type": "error", "error": {"type": "invalid_request_error", "message": "no such model"}}),
        ),
    ]);
    let server = server.await;
    let llm = ChatModel::new("anthropic::m")
        .unwrap()
        .base_url(&server.url)
        .unwrap();
    let llm = llm
        .key(prompt_client::ApiKey::new("k"))
        .retry(crate::quick());
    let error = llm.send(&hello()).await.unwrap_err();
    assert_eq!(
        (call_error(&error).kind(), server.asked().len()),
        (CallErrorKind::Refused, 2),
        "{error:#}"
    );
}

#[tokio::test]
async fn text_before_an_error_is_kept() {
    let choice = json!([{"error": {"message": "no such tool", "code": 400}, "message": {"content": "Once"}, "text": "Once"}]);
    let server = Server::start([
        Answer::json(200, &json!({"choices": choice})),
        Answer::json(200, &json!({"choices": choice})),
    ])
    .await;
    for error in [
        chat(&server).send(&hello()).await,
        text(&server).send(&hello()).await,
    ] {
        let error = error.unwrap_err();
        assert_eq!(error.answer(), Some("Once"), "{error:#}");
    }
}

#[tokio::test]
async fn empty_error_fields_are_not_errors() {
    for none in [json!(null), json!(""), json!({}), json!(false)] {
        let reply = read(&json!({"error": none, "choices": [{"message": {"content": "Hi."}}]}))
            .await
            .0;
        assert_eq!(reply.unwrap().text, "Hi.", "{none}");
        let event =
            json!({"error": none, "choices": [{"delta": {"content": "Hi."}, "text": "Hi."}]})
                .to_string();
        let (reply, asked) = streamed(&[&event, "[DONE]"]).await;
        assert_eq!((&*reply.unwrap().text, asked), ("Hi.", 1), "{none}");
        let server = Server::start([Answer::stream().event(&event).event("[DONE]")]).await;
        let reply = text(&server).stream(&hello()).await.unwrap().finish().await;
        assert_eq!(reply.unwrap().text, "Hi.", "{none}");
    }
}

#[tokio::test]
async fn responses_without_a_message_are_errors() {
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 0});
    for body in [
        json!(null),
        json!([]),
        json!({"choices": [], "usage": usage}),
        json!({"choices": null, "usage": usage}),
        json!({"choices": [{"index": 0, "finish_reason": "stop"}]}),
        json!({"choices": [{"message": {"content": {"a": 1}}}]}),
        json!({"choices": [{"message": {"content": 5}}]}),
        json!({"choices": [{"message": {"content": [{"type": "image_url"}]}}]}),
    ] {
        let (reply, asked) = read(&body).await;
        let error = reply.unwrap_err();
        assert_eq!(
            (call_error(&error).kind(), asked),
            (CallErrorKind::Protocol, 1),
            "{body}"
        );
        assert_eq!(error.answer(), Some(&*body.to_string()));
    }
    for events in [
        vec!["[DONE]"],
        vec![r#"{"choices":[],"usage":{"prompt_tokens":1}}"#, "[DONE]"],
    ] {
        let error = streamed(&events).await.0.unwrap_err();
        assert_eq!(
            call_error(&error).kind(),
            CallErrorKind::Protocol,
            "{error:#}"
        );
        let events = events
            .iter()
            .fold(Answer::stream(), |answer, event| answer.event(event));
        let server = Server::start([events]).await;
        let error = text(&server).stream(&hello()).await.unwrap_err();
        assert_eq!(error.to_string(), "the stream ended without a message");
    }
}

#[tokio::test]
async fn the_first_of_several_choices_is_used() {
    let choice =
        |index: u8, said: &str| json!({"index": index, "message": {"content": said}, "text": said});
    let body = json!({"choices": [choice(1, "b"), choice(0, "a")]});
    assert_eq!(read(&body).await.0.unwrap().text, "a");
    let server = Server::start([Answer::json(200, &body)]).await;
    assert_eq!(text(&server).send(&hello()).await.unwrap().text, "a");
}

#[tokio::test]
async fn token_counts_may_be_partial() {
    let both = |input, output| Some(Usage::new(input, output));
    for (usage, expected) in [
        (
            json!({"prompt_tokens": 1, "completion_tokens": 2, "prompt_tokens_details": "odd"}),
            both(1, 2),
        ),
        (
            json!({"prompt_tokens": 5_000_000_000_u64, "completion_tokens": 2}),
            both(5_000_000_000, 2),
        ),
        (json!({"prompt_tokens": 1}), both(1, 0)),
        (json!({"input_tokens": 1, "output_tokens": 2}), both(1, 2)),
        (json!({"prompt_tokens": "many"}), None),
        (json!({}), None),
        (json!(null), None),
    ] {
        let choices = json!([{"index": 0, "message": {"content": "Hi."}, "text": "Hi."}]);
        let body = json!({"choices": choices, "usage": usage});
        assert_eq!(read(&body).await.0.unwrap().usage, expected, "{usage}");
        let server = Server::start([Answer::json(200, &body)]).await;
        assert_eq!(
            text(&server).send(&hello()).await.unwrap().usage,
            expected,
            "{usage}"
        );
    }
}

#[tokio::test]
async fn streams_may_end_with_a_finish_reason() {
    let event = r#"{"model":"m-2","choices":[{"delta":{"content":"Hi."},"text":"Hi.","finish_reason":"length"}]}"#;
    let reply = streamed(&[event]).await.0.unwrap();
    assert_eq!(
        (&*reply.text, reply.finish, reply.model.as_deref()),
        ("Hi.", Some(FinishReason::Length), Some("m-2"))
    );
    let server = Server::start([Answer::stream().event(event)]).await;
    let reply = text(&server)
        .stream(&hello())
        .await
        .unwrap()
        .finish()
        .await
        .unwrap();
    assert_eq!(
        (&*reply.text, reply.finish),
        ("Hi.", Some(FinishReason::Length))
    );
    // An empty reason is none.
    let event = r#"{"choices":[{"delta":{"content":"Hi."},"finish_reason":""}]}"#;
    let error = streamed(&[event]).await.0.unwrap_err();
    assert_eq!(
        (call_error(&error).kind(), error.answer()),
        (CallErrorKind::Interrupted, Some("Hi."))
    );
}

#[tokio::test]
async fn streams_may_contain_a_whole_message() {
    let whole = r#"{"choices":[{"message":{"content":"Hi."},"finish_reason":"stop"}]}"#;
    assert_eq!(streamed(&[whole, "[DONE]"]).await.0.unwrap().text, "Hi.");
}

#[tokio::test]
async fn error_events_are_errors() {
    let event = "event: error\ndata: {\"message\": \"no such model\", \"code\": 404}\n\n";
    let server = Server::start([Answer::stream().bytes(event).event("[DONE]")]).await;
    let error = chat(&server).stream(&hello()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server answers with status 404: no such model"
    );
}

#[tokio::test]
async fn redirects_are_errors_without_secrets() {
    let head = "location: https://h.example/v2/completions?key=s3cret\r\n";
    let server = Server::start([Answer::new(308, head, ""), Answer::new(308, head, "")]).await;
    for error in [
        chat(&server).send(&hello()).await,
        text(&server).send(&hello()).await,
    ] {
        let error = error.unwrap_err();
        let message =
            "the server answers with status 308, and redirects to https://h.example/v2/completions";
        assert_eq!(error.message(), message);
    }
}

/// A redirect would send the key and the prompt to a host that the program does not know.
#[tokio::test]
async fn redirects_are_not_followed() {
    let other = Server::start([Answer::chat("Stolen.")]).await;
    for status in [301, 302, 303, 307, 308] {
        let head = format!("location: {}/chat/completions\r\n", other.url);
        let server = Server::start([Answer::new(status, &head, "")]).await;
        let llm = chat(&server).key(ApiKey::new("sk-very-secret"));
        assert!(llm.send(&hello()).await.is_err(), "{status}");
    }
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn empty_bodies_are_errors() {
    let empty = || Answer::new(200, "content-type: application/json\r\n", "");
    let server = Server::start([empty(), empty()]).await;
    for error in [
        chat(&server).send(&hello()).await,
        text(&server).send(&hello()).await,
    ] {
        assert_eq!(
            error.unwrap_err().to_string(),
            "the server's answer is empty"
        );
    }
}
