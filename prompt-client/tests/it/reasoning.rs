//! Reasoning of chat models: it is part of the reply, whole or streamed, and is sent back as each provider expects it.

use prompt_client::{ApiKey, CallErrorKind, ChatModel, StreamingLlm};
use prompt_core::{Chunk, Llm, Message, Messages, Options, Reply, Request, Tool, ToolCall};
use serde_json::{Value, json};

use crate::prompt::{City, ask};
use crate::reasoning_cases::{THOUGHT, anthropic, openai, protocols};
use crate::server::{Answer, Server};
use crate::{call_error, chat, hello, quick};

fn sum() -> Messages {
    Messages::from([Message::user("1+2?")]).with_tool(Tool::new("add"))
}

/// The conversation after a reply that calls, and the request for what comes next.
fn next(reply: &Reply) -> Request {
    let mut messages = sum();
    messages.push(reply.message());
    let id = reply.tool_calls[0].id.clone().unwrap();
    messages.push(Message::tool(id, "3").with_name("add"));
    Request::from_prompt(&messages).unwrap()
}

#[tokio::test]
async fn reasoning_is_sent_back_with_its_tool_call() {
    for protocol in protocols() {
        let answers = [Answer::json(200, &protocol.whole), protocol.stream()];
        for (answer, streams) in answers.into_iter().zip([false, true]) {
            let name = format!("{}, streams: {streams}", protocol.model);
            let server = Server::start([answer]).await;
            let llm = protocol.chat(&server);
            let request = Request::from_prompt(&sum()).unwrap();
            let reply = match streams {
                false => llm.send(&request).await.unwrap(),
                true => llm.stream(&request).await.unwrap().finish().await.unwrap(),
            };
            assert_eq!(reply.reasoning.as_deref(), Some(THOUGHT), "{name}");
            assert_eq!(reply.text, "", "{name}");
            let call = &reply.tool_calls[0];
            assert_eq!(
                (&*call.name, &*call.arguments),
                ("add", r#"{"a":1}"#),
                "{name}"
            );

            llm.send(&next(&reply)).await.unwrap_err();
            let body = &server.asked()[1].body;
            let (pointer, expected) = &protocol.back;
            assert_eq!(body.pointer(pointer), Some(expected), "{name}: {body:#}");
            if *pointer != "/messages/1/reasoning_content" {
                assert!(
                    !body.to_string().contains("reasoning_content"),
                    "{name}: {body:#}"
                );
            }
        }
    }
}

#[tokio::test]
async fn reasoning_details_of_openrouter_are_sent_back() {
    let details = json!([{"type": "reasoning.encrypted", "data": "sealed", "index": 0}]);
    let mut protocol = openai("open_router::m", "reasoning", ("", Value::Null));
    protocol.whole["choices"][0]["message"]["reasoning_details"] = details.clone();
    let server = Server::start([Answer::json(200, &protocol.whole)]).await;
    let llm = protocol.chat(&server);
    let reply = llm
        .send(&Request::from_prompt(&sum()).unwrap())
        .await
        .unwrap();
    llm.send(&next(&reply)).await.unwrap_err();
    let message = &server.asked()[1].body["messages"][1];
    assert_eq!(
        (&message["reasoning_details"], &message["reasoning_content"]),
        (&details, &json!(THOUGHT))
    );

    let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]}).to_string();
    let detail = |detail: Value| delta(json!({"reasoning_details": [detail]}));
    let call = json!({"index": 0, "id": "c1", "function": {"name": "add", "arguments": "{}"}});
    let answer = Answer::stream()
        .event(&detail(
            json!({"type": "reasoning.text", "index": 0, "text": "Add "}),
        ))
        .event(&detail(
            json!({"type": "reasoning.text", "index": 0, "text": "them.", "signature": null}),
        ))
        .event(&detail(
            json!({"type": "reasoning.text", "index": 0, "signature": "signed"}),
        ))
        .event(&detail(
            json!({"type": "reasoning.encrypted", "index": 1, "data": "sealed"}),
        ))
        .event(&delta(json!({"tool_calls": [call]})))
        .event("[DONE]");
    let server = Server::start([answer]).await;
    let llm = protocol.chat(&server);
    let stream = llm
        .stream(&Request::from_prompt(&sum()).unwrap())
        .await
        .unwrap();
    let reply = stream.finish().await.unwrap();
    llm.send(&next(&reply)).await.unwrap_err();
    let details = json!([
        {"type": "reasoning.text", "index": 0, "text": THOUGHT, "signature": "signed"},
        {"type": "reasoning.encrypted", "index": 1, "data": "sealed"},
    ]);
    let message = &server.asked()[1].body["messages"][1];
    assert_eq!(message["reasoning_details"], details);
}

#[tokio::test]
async fn reasoning_blocks_are_shared_by_clones_only() {
    let protocol = anthropic();
    let server = Server::start([Answer::json(200, &protocol.whole)]).await;
    let llm = protocol.chat(&server);
    let reply = llm
        .send(&Request::from_prompt(&sum()).unwrap())
        .await
        .unwrap();

    llm.clone().send(&next(&reply)).await.unwrap_err();
    assert_eq!(
        server.asked()[1].body.pointer(protocol.back.0),
        Some(&protocol.back.1)
    );
    // The calls alone are enough to know the turn.
    let mut bare = reply.clone();
    bare.reasoning = None;
    llm.send(&next(&bare)).await.unwrap_err();
    assert_eq!(
        server.asked()[2].body.pointer(protocol.back.0),
        Some(&protocol.back.1)
    );

    let stranger = protocol.chat(&server);
    let error = stranger.send(&next(&reply)).await.unwrap_err();
    assert_eq!(call_error(&error).kind(), CallErrorKind::Setup);
    let message = error.message();
    let begin = "message 1 has reasoning of another model beside the call of `add`: `";
    assert!(
        message.starts_with(begin) && message.ends_with("` accepts only its own reasoning, if any"),
        "{message}"
    );
    assert!(
        format!("{error:#}").contains("reasoning_sent(false)"),
        "{error:#}"
    );
    let mut edited = reply.clone();
    edited.reasoning = Some("Subtract them.".to_owned());
    assert_eq!(
        call_error(&llm.send(&next(&edited)).await.unwrap_err()).kind(),
        CallErrorKind::Setup
    );
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn foreign_reasoning_before_the_last_user_message_is_omitted() {
    for protocol in protocols() {
        let server = Server::start([]).await;
        let messages = Messages::from([
            Message::user("1+2?"),
            Message::assistant("3").with_reasoning("Easy."),
            Message::user("2+2?"),
        ]);
        let request = Request::from_prompt(&messages).unwrap();
        let llm = protocol.chat(&server);
        llm.send(&request).await.unwrap_err();
        llm.reasoning_sent(false).send(&request).await.unwrap_err();
        let told: Vec<bool> = server
            .asked()
            .iter()
            .map(|asked| asked.body.to_string().contains("Easy."))
            .collect();
        let has_field = [
            "at",
            "deepseek::m",
            "open_router::m",
            "mistral::m",
            "ollama::m",
        ]
        .contains(&protocol.model);
        assert_eq!(told, [has_field, false], "{}", protocol.model);
    }
}

#[tokio::test]
async fn reasoning_is_requested_only_if_configured() {
    for (model, pointer) in [
        (
            "gemini::m",
            "/generationConfig/thinkingConfig/includeThoughts",
        ),
        ("openai_resp::m", "/reasoning/summary"),
    ] {
        let server = Server::start([]).await;
        let llm = ChatModel::new(model)
            .unwrap()
            .base_url(&server.url)
            .unwrap();
        let llm = llm.key(ApiKey::new("k3y")).retry(quick());
        llm.send(&hello()).await.unwrap_err();
        llm.reasoning(true).send(&hello()).await.unwrap_err();
        let asked = server.asked();
        assert_eq!(asked[0].body.pointer(pointer), None, "{model}");
        assert!(
            asked[1].body.pointer(pointer).is_some(),
            "{model}: {:#}",
            asked[1].body
        );
    }
}

fn piece(key: &str, text: &str) -> String {
    json!({"model": "m", "choices": [{"index": 0, "delta": {key: text}}]}).to_string()
}

#[tokio::test]
async fn reasoning_is_streamed_separately() {
    let answer = Answer::stream()
        .event(&piece("reasoning_content", "{\"name\": "))
        .event(&piece("reasoning_content", "\"Rome\"}? No."))
        .event(&piece("content", "{\"name\": \"Br"))
        .event(&piece("content", "est\", \"people\": 139000}"))
        .event("[DONE]");
    let server = Server::start([answer.clone(), answer]).await;
    let (llm, request) = (chat(&server), hello());
    let mut stream = llm.stream(&request).await.unwrap();
    let mut thoughts = Vec::new();
    while let Some(chunk) = stream.next().await {
        if let Chunk::Reasoning(text) = chunk.unwrap() {
            assert_eq!(stream.text_so_far(), "");
            thoughts.push(text);
        }
    }
    let thought = "{\"name\": \"Rome\"}? No.";
    assert_eq!((thoughts.len(), &*thoughts.concat()), (2, thought));
    let reply = stream.reply().unwrap();
    assert_eq!(reply.reasoning.as_deref(), Some(thought));
    assert_eq!(reply.text, "{\"name\": \"Brest\", \"people\": 139000}");

    let mut partials = llm
        .stream_partials(&ask::<City>("Which?"), Options::new())
        .await
        .unwrap();
    let mut seen = Vec::new();
    while let Some(partial) = partials.next().await {
        seen.push(partial.unwrap().value.to_string());
    }
    assert_eq!(
        seen,
        [r#"{"name":"Br"}"#, r#"{"name":"Brest","people":139000}"#]
    );
    assert_eq!(partials.reasoning_so_far(), Some(thought));
    assert_eq!(partials.finish().await.unwrap().name, "Brest");
}

#[tokio::test]
async fn streams_cut_during_reasoning_are_interrupted() {
    let cut = Answer::chunked().chunk(&piece("reasoning_content", "So"));
    let server = Server::start([cut, Answer::chat("No.")]).await;
    let request = hello();
    let error = chat(&server)
        .stream(&request)
        .await
        .unwrap()
        .finish()
        .await
        .unwrap_err();
    assert_eq!(
        call_error(&error).kind(),
        CallErrorKind::Interrupted,
        "{error:#}"
    );
    assert_eq!((error.answer(), server.asked().len()), (None, 1));
}

#[tokio::test]
async fn too_long_reasoning_is_an_error() {
    let endless = (0..300).fold(Answer::stream(), |answer, _| {
        answer.event(&piece("reasoning_content", "more "))
    });
    let whole = openai("at", "reasoning", ("", Value::Null)).whole;
    let server = Server::start([endless, Answer::json(200, &whole)]).await;
    let (llm, request) = (chat(&server).max_response_bytes(1000), hello());
    let error = llm
        .stream(&request)
        .await
        .unwrap()
        .finish()
        .await
        .unwrap_err();
    assert_eq!(call_error(&error).kind(), CallErrorKind::TooLarge);
    let error = llm.max_response_bytes(5).send(&request).await.unwrap_err();
    assert_eq!(call_error(&error).kind(), CallErrorKind::TooLarge);
}

#[tokio::test]
async fn tool_loops_send_reasoning_back() {
    for protocol in protocols() {
        let server = Server::start([Answer::json(200, &protocol.whole)]).await;
        let (llm, ask) = (protocol.chat(&server), sum());
        let answer = llm.with_own_tools(&ask).answer(async |_: ToolCall| Ok("3"));
        answer.await.unwrap_err();
        let body = &server.asked()[1].body;
        let (pointer, expected) = &protocol.back;
        assert_eq!(
            body.pointer(pointer),
            Some(expected),
            "{}: {body:#}",
            protocol.model
        );
    }
}

#[tokio::test]
async fn turns_with_invalid_arguments_keep_their_reasoning() {
    for protocol in [
        openai(
            "at",
            "reasoning_content",
            ("/messages/1/reasoning_content", json!(THOUGHT)),
        ),
        openai("groq::m", "reasoning", ("/messages/1/content", Value::Null)),
    ] {
        let mut whole = protocol.whole.clone();
        whole["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] =
            json!("{\"a\": 1");
        let server = Server::start([Answer::json(200, &whole)]).await;
        let llm = protocol.chat(&server);
        let reply = llm
            .send(&Request::from_prompt(&sum()).unwrap())
            .await
            .unwrap();
        assert_eq!(reply.reasoning.as_deref(), Some(THOUGHT));
        llm.send(&next(&reply)).await.unwrap_err();
        let (pointer, expected) = &protocol.back;
        assert_eq!(server.asked()[1].body.pointer(pointer), Some(expected));
    }
}
