//! Tools, their calls and their results.

use prompt_client::{ApiKey, ChatModel, CompletionModel, StreamingLlm};
use prompt_core::{
    ChatFormat, Chunk, FinishReason, Llm, Message, Messages, Request, Tool, ToolCall, format,
};
use serde_json::json;

use crate::server::{Answer, Server};
use crate::{chat, hello};

#[tokio::test]
async fn tools_are_sent_and_calls_are_returned() {
    let call = json!({"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{\"b\":2,\"a\":1}"}});
    let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    let answer = json!({"model": "m", "choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]});
    let server = Server::start([Answer::json(200, &answer), Answer::chat("3")]).await;
    let tool = Tool::new("add")
        .with_description("Adds.")
        .with_parameters(json!({"type": "object", "properties": {}}));
    let mut messages = Messages::from([Message::user("1+2?")]).with_tool(tool);
    let llm = chat(&server);
    let reply = llm
        .send(&Request::from_prompt(&messages).unwrap())
        .await
        .unwrap();
    assert_eq!(
        reply.tool_calls,
        [ToolCall::new("c1", "add", r#"{"b":2,"a":1}"#)]
    );
    assert_eq!(reply.finish, Some(FinishReason::ToolCalls));

    messages.push(Message::calls(reply.tool_calls));
    messages.push(Message::tool("c1", "3").with_name("add"));
    assert_eq!(
        llm.send(&Request::from_prompt(&messages).unwrap())
            .await
            .unwrap()
            .text,
        "3"
    );
    let body = &server.asked()[1].body;
    assert_eq!(body["tools"][0]["function"]["name"], "add");
    assert_eq!(body["tools"][0]["function"]["description"], "Adds.");
    assert_eq!(body["messages"][1]["tool_calls"][0]["id"], "c1");
    assert_eq!(
        body["messages"][1]["tool_calls"][0]["function"]["arguments"],
        r#"{"b":2,"a":1}"#
    );
    assert_eq!(
        body["messages"][2],
        json!({"role": "tool", "tool_call_id": "c1", "content": "3"})
    );
}

#[tokio::test]
async fn missing_tool_properties_are_not_null() {
    let server = Server::start([Answer::chat("3")]).await;
    let messages = Messages::from([Message::user("1+2?")]).with_tool(Tool::new("add"));
    chat(&server)
        .send(&Request::from_prompt(&messages).unwrap())
        .await
        .unwrap();
    let function = &server.asked()[0].body["tools"][0]["function"];
    let values = function.as_object().unwrap().values();
    assert!(
        values.clone().count() > 0 && values.clone().all(|value| !value.is_null()),
        "{function}"
    );
}

#[tokio::test]
async fn invalid_arguments_are_unchanged() {
    let call = json!({"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{\"a\": 1"}});
    let message = json!({"role": "assistant", "content": "So:", "tool_calls": [call]});
    let answer = json!({"model": "m-1", "choices": [{"index": 0, "finish_reason": "length", "message": message}]});
    let server = Server::start([Answer::json(200, &answer)]).await;
    let reply = chat(&server).send(&hello()).await.unwrap();
    assert_eq!(reply.tool_calls, [ToolCall::new("c1", "add", r#"{"a": 1"#)]);
    assert_eq!(
        (&*reply.text, reply.finish, reply.model.as_deref()),
        ("So:", Some(FinishReason::Length), Some("m-1"))
    );
}

#[tokio::test]
async fn tool_calls_of_a_stream_are_complete() {
    let delta = |call: serde_json::Value| {
        json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}).to_string()
    };
    let server = Server::start([Answer::stream()
        .event(&delta(
            json!({"index": 0, "id": "c1", "function": {"name": "add", "arguments": "{\"a\":"}}),
        ))
        .event(&delta(json!({"index": 0, "function": {"arguments": "1}"}})))
        .event(
            &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
                .to_string(),
        )
        .event("[DONE]")])
    .await;
    let request = hello();
    let mut stream = chat(&server).stream(&request).await.unwrap();
    let call = ToolCall::new("c1", "add", r#"{"a":1}"#);
    assert_eq!(stream.next().await.unwrap().unwrap(), Chunk::ToolCall(call));
    assert!(stream.next().await.is_none());
    assert_eq!(
        stream.reply().unwrap().finish,
        Some(FinishReason::ToolCalls)
    );
}

/// A tool loop with each format that offers tools. The model writes its call with reasoning, if it has any, and without an id.
#[tokio::test]
async fn tool_loops_of_completion_models_have_a_second_round() {
    let ask = Messages::from([Message::user("1+2?")])
        .with_tool(Tool::new("add").with_parameters(json!({"type": "object"})));
    for native in format::MODEL_FORMATS.iter().copied() {
        let family = native.family();
        if !family.tools {
            continue;
        }
        let history = Messages::from([
            Message::user("?"),
            Message::calls([ToolCall::new("call00001", "add", r#"{"a": 1}"#)]),
        ]);
        let text = |messages: &Messages, open| {
            messages.to_text(format::NativeFormat::clone(native).generation_prompt(open))
        };
        let prompt = text(&history.iter().take(1).cloned().collect(), true).unwrap();
        let written = text(&history, false).unwrap();
        let same = prompt.bytes().zip(written.bytes());
        let same = same.take_while(|(one, other)| one == other).count();
        let mut call = written[same..].replace(r#", "id": "call00001""#, "");
        let delimiters = native.reasoning_delimiters();
        let delimiters = delimiters.or(family.turns.also_reasoning.first().copied());
        let mut answer = "3".to_owned();
        // gpt-oss writes its reasoning in a separate message, and Command R7B closes it in the prompt.
        let is_closed = |close: &str| prompt.trim_end().ends_with(close);
        if let Some((open, close)) =
            delimiters.filter(|(_, close)| family.name != "gpt_oss" && !is_closed(close))
        {
            let opens = prompt.trim_end().ends_with(open);
            let open = if opens { "" } else { open };
            // Muse Glimmer closes its reasoning with the header of the answer, in place of which the call has its own.
            let header = family.turns.assistant.open;
            let end = close.strip_suffix(header).filter(|_| !header.is_empty());
            let before_call = match end {
                Some(end) => end.to_owned() + family.turns.answer.unwrap_or_default(),
                None => format!("{close}\n"),
            };
            call = format!("{open}\nEasy.\n{before_call}{call}");
            if opens {
                answer = format!("So.{close}3");
            }
        }
        let server = Server::start([Answer::text(&call), Answer::text(&answer)]).await;
        let llm =
            CompletionModel::new(&server.url, "m", format::NativeFormat::clone(native)).unwrap();
        let answer = llm.with_own_tools(&ask).answer(async |call: ToolCall| {
            assert_eq!(
                (&*call.name, call.json().unwrap().as_str().replace(' ', "")),
                ("add", r#"{"a":1}"#.to_owned())
            );
            Ok("Three.")
        });
        let answer = answer
            .await
            .unwrap_or_else(|error| panic!("{}: {error:#}\n{call}", family.name));
        assert_eq!(answer.trim(), "3", "{}", family.name);
        let second = server.asked()[1].body["prompt"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(
            second.contains("add") && second.contains("Three."),
            "{}: {second}",
            family.name
        );
    }
}

#[tokio::test]
async fn signatures_are_sent_back_with_their_tool_call() {
    let call =
        json!({"functionCall": {"name": "add", "args": {"a": 1}}, "thoughtSignature": "opaque"});
    let answer = |part: serde_json::Value| json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]});
    let first = Answer::json(200, &answer(call));
    let server = Server::start([first, Answer::json(200, &answer(json!({"text": "3"})))]).await;
    let llm = ChatModel::new("gemini::m")
        .unwrap()
        .base_url(&server.url)
        .unwrap()
        .key(ApiKey::new("k3y"));
    let ask = Messages::from([Message::user("1+2?")]).with_tool(Tool::new("add"));
    let answer = llm.with_own_tools(&ask).answer(async |_: ToolCall| Ok("3"));
    assert_eq!(answer.await.unwrap(), "3");
    let body = server.asked()[1].body.to_string();
    assert!(body.contains(r#""thoughtSignature":"opaque""#), "{body}");
}
