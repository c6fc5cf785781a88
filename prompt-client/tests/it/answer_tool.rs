//! The answer as a tool, where a provider takes tools or a schema: `Structured::Tool`.

use prompt_client::{ApiKey, ChatModel, RetryPolicy, StreamingLlm};
use prompt_core::{
    FinishReason, Llm, Options, Request, Structured, Tool, ToolCall, ToolChoice, Tools,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::prompt::{City, ask};
use crate::server::{Answer, Server};
use crate::{chat, text};

const FIT: &str = r#"{"name": "Brest", "people": 139000}"#;

/// A request with a tool and an output type.
fn request<T: DeserializeOwned + JsonSchema>() -> Request {
    with_tool(Request::from_prompt(&ask::<T>("Which?")).unwrap(), "look")
}

fn with_tool(mut request: Request, name: &'static str) -> Request {
    request.messages = request.messages.with_tool(Tool::new(name));
    request
}

/// The answer of each protocol that calls tools, with text before.
fn calls(model: &str, said: &str, calls: &[(&str, &str)]) -> Answer {
    let parsed = |arguments: &str| serde_json::from_str::<Value>(arguments).unwrap();
    let openai = |text: bool| {
        let calls = calls.iter().enumerate().map(|(id, (name, arguments))| {
            let arguments = match text {
                true => json!(arguments),
                false => parsed(arguments),
            };
            json!({"id": format!("c{id}"), "type": "function", "function": {"name": name, "arguments": arguments}})
        });
        calls.collect::<Vec<_>>()
    };
    let body = match model {
        "gemini::m" => {
            let parts = calls.iter().map(|(name, arguments)| json!({"functionCall": {"name": name, "args": parsed(arguments)}}));
            let parts: Vec<_> = [json!({"text": said})].into_iter().chain(parts).collect();
            json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})
        }
        "ollama::m" => json!({
            "message": {"content": said, "tool_calls": openai(false)}, "done": true, "done_reason": "stop",
        }),
        "cohere::m" => json!({
            "finish_reason": "TOOL_CALL", "message": {"tool_plan": said, "tool_calls": openai(true)},
        }),
        "anthropic::m" => {
            let blocks = calls.iter().map(|(name, arguments)| json!({"type": "tool_use", "id": "c", "name": name, "input": parsed(arguments)}));
            let blocks: Vec<_> = [json!({"type": "text", "text": said})]
                .into_iter()
                .chain(blocks)
                .collect();
            json!({"type": "message", "stop_reason": "tool_use", "content": blocks})
        }
        _ => json!({"choices": [{
            "message": {"content": said, "tool_calls": openai(true)}, "finish_reason": "tool_calls",
        }]}),
    };
    Answer::json(200, &body)
}

fn model(name: &str, server: &Server) -> ChatModel {
    if name == "own" {
        return chat(server);
    }
    let llm = ChatModel::new(name).unwrap().base_url(&server.url).unwrap();
    llm.key(ApiKey::new("k3y")).retry(RetryPolicy::none())
}

/// The names of the tools in a request.
fn offered(body: &Value) -> Vec<&str> {
    let tools = body["tools"].as_array().into_iter().flatten();
    let declared = tools.flat_map(|tool| match tool["functionDeclarations"].as_array() {
        Some(declared) => declared.iter().collect::<Vec<_>>(),
        None => vec![tool],
    });
    let names = declared.map(|tool| tool["function"]["name"].as_str().or(tool["name"].as_str()));
    names.flatten().collect()
}

#[tokio::test]
async fn the_answer_is_a_tool_where_a_provider_takes_tools_or_a_schema() {
    let required = json!("required");
    // The choice of the request, and its pointer.
    for (name, pointer, choice) in [
        ("own", "/tool_choice", &required),
        (
            "gemini::m",
            "/toolConfig/functionCallingConfig/mode",
            &json!("ANY"),
        ),
        ("ollama::m", "/tool_choice", &Value::Null),
        ("cohere::m", "/tool_choice", &json!("REQUIRED")),
    ] {
        let answers = [
            calls(name, "Let me see.", &[("answer", FIT)]),
            calls(name, "Both.", &[("look", "{}"), ("answer", FIT)]),
            calls(name, "Look.", &[("look", "{}")]),
        ];
        let server = Server::start(answers).await;
        let llm = model(name, &server);
        let reply = llm.send(&request::<City>()).await.unwrap();
        assert_eq!(reply.structured, Some(Structured::Tool), "{name}");
        let city: Value = serde_json::from_str(&reply.text).unwrap();
        assert_eq!(city, serde_json::from_str::<Value>(FIT).unwrap(), "{name}");
        assert_eq!(
            (reply.tool_calls.len(), reply.finish),
            (0, Some(FinishReason::Stop)),
            "{name}"
        );
        let body = &server.asked()[0].body;
        assert_eq!(offered(body), ["look", "answer"], "{name}: {body}");
        assert_eq!(
            body.pointer(pointer).unwrap_or(&Value::Null),
            choice,
            "{name}: {body}"
        );
        assert!(body.get("response_format").is_none() && body.get("format").is_none());
        // An answer beside other calls was written before their results.
        for _ in 0..2 {
            let reply = llm.send(&request::<City>()).await.unwrap();
            let names: Vec<_> = reply.tool_calls.iter().map(|call| &*call.name).collect();
            assert_eq!(
                (&*names, reply.finish),
                (&["look"][..], Some(FinishReason::ToolCalls)),
                "{name}"
            );
            assert!(!reply.text.contains("Brest"), "{name}: {}", reply.text);
        }
    }
}

#[tokio::test]
async fn other_roots_are_the_property_of_an_object() {
    for name in ["own", "gemini::m"] {
        let list = format!(r#"{{"answer": [{FIT}]}}"#);
        let server = Server::start([calls(name, "", &[("answer", &list)])]).await;
        let reply = model(name, &server)
            .send(&request::<Vec<City>>())
            .await
            .unwrap();
        let cities: Vec<City> = serde_json::from_str(&reply.text).unwrap();
        assert_eq!(cities[0].name, "Brest", "{name}");
    }
}

#[tokio::test]
async fn the_answer_streams_while_its_arguments_arrive() {
    let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]}).to_string();
    let part = |arguments: &str| {
        delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": arguments}}]}))
    };
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
    let stream = Answer::stream()
        .event(&delta(json!({"content": "Let me see."})))
        .event(&delta(
            json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "ans"}}]}),
        ))
        .event(&delta(
            json!({"tool_calls": [{"index": 0, "function": {"name": "wer", "arguments": ""}}]}),
        ))
        .event(&part(r#"{"name": "Br"#))
        .event(&part(r#"est", "#))
        .event(&part(r#""people": 1}"#))
        .event(&end.to_string())
        .event("[DONE]");
    let server = Server::start([stream]).await;
    let mut stream = chat(&server).stream(&request::<City>()).await.unwrap();
    let mut chunks = Vec::new();
    while let Some(chunk) = stream.next().await {
        chunks.push(chunk.unwrap().text().unwrap_or_default().to_owned());
    }
    assert_eq!(chunks, [r#"{"name": "Brest", "#, r#""people": 1}"#]);
    let reply = stream.reply().unwrap();
    assert_eq!(
        (&reply.finish, reply.tool_calls.len()),
        (&Some(FinishReason::Stop), 0)
    );
}

/// An answer beside other calls was written before their results. One that began first was returned before the other call was known.
#[tokio::test]
async fn streamed_answers_beside_other_calls_do_not_end_the_loop() {
    let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]}).to_string();
    let [first, second, third] = [r#"{"name": "Br"#, r#"est", "#, r#""people": 1}"#];
    let fit = [first, second, third].concat();
    let beside = format!("{fit}\n\nLet me see.");
    // The tools in the order of their calls, the text, and the calls that remain.
    for (tools, text, calls) in [
        (["look", "answer"], "Let me see.", &["look"][..]),
        (["answer", "look"], &*beside, &["look"]),
        (["answer", "answer"], &*fit, &[]),
    ] {
        let mut stream = Answer::stream().event(&delta(json!({"content": "Let me see."})));
        for (index, name) in tools.into_iter().enumerate() {
            let call = |function: Value| {
                delta(
                    json!({"tool_calls": [{"index": index, "id": format!("c{index}"), "function": function}]}),
                )
            };
            stream = stream.event(&call(json!({"name": name, "arguments": ""})));
            let parts = match name {
                "look" => &["{", "}"][..],
                _ => &[first, second, third],
            };
            for part in parts {
                stream = stream.event(&call(json!({"arguments": part})));
            }
        }
        let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
        let server = Server::start([stream.event(&end.to_string()).event("[DONE]")]).await;
        let stream = chat(&server).stream(&request::<City>()).await.unwrap();
        let reply = stream.finish().await.unwrap();
        let names: Vec<_> = reply.tool_calls.iter().map(|call| &*call.name).collect();
        assert_eq!((&*reply.text, &*names), (text, calls), "{tools:?}");
        let finish = match calls {
            [] => FinishReason::Stop,
            _ => FinishReason::ToolCalls,
        };
        assert_eq!(reply.finish, Some(finish), "{tools:?}");
    }
}

#[tokio::test]
async fn the_choice_of_the_program_decides() {
    let said = || Answer::chat(FIT);
    // The choice, the way, the tools, and the choice that is sent.
    let table = [
        (
            Some(ToolChoice::Auto),
            Some(Structured::Tool),
            &["look", "answer"][..],
            json!("auto"),
        ),
        (
            Some(ToolChoice::None),
            Some(Structured::Described),
            &["look"][..],
            json!("none"),
        ),
        (
            Some(ToolChoice::Required),
            None,
            &["look"][..],
            json!("required"),
        ),
        (
            Some(ToolChoice::Tool("look".to_owned())),
            Some(Structured::Tool),
            &["look", "answer"][..],
            json!({"type": "function", "function": {"name": "look"}}),
        ),
    ];
    for (choice, structured, tools, sent) in table {
        let server = Server::start([said()]).await;
        let mut options = Options::new();
        options.tool_choice = choice;
        let reply = chat(&server)
            .send(&request::<City>().with_options(options))
            .await
            .unwrap();
        assert_eq!(reply.structured, structured, "{sent}");
        let body = &server.asked()[0].body;
        assert_eq!((&*offered(body), &body["tool_choice"]), (tools, &sent));
    }
    // Described, although there are tools; a tool, although there are none.
    let server = Server::start([said(), calls("anthropic::m", "", &[("answer", FIT)])]).await;
    let llm = chat(&server).structured(Structured::Described);
    assert_eq!(
        llm.send(&request::<City>()).await.unwrap().structured,
        Some(Structured::Described)
    );
    let llm = model("anthropic::m", &server).structured(Structured::Tool);
    assert_eq!(llm.call(ask::<City>("Which?")).await.unwrap().name, "Brest");
    assert_eq!(
        server.asked()[1].body["tool_choice"],
        json!({"type": "tool", "name": "answer"})
    );
    // A tool of the program with that name.
    let server = Server::start([calls("own", "", &[("answer_2", FIT)])]).await;
    let request = with_tool(request::<City>(), "answer");
    assert_eq!(chat(&server).send(&request).await.unwrap().text, FIT);
    let error = text(&server)
        .structured(Structured::Tool)
        .call(ask::<City>("Which?"))
        .await;
    let error = error.unwrap_err();
    assert_eq!(
        error.message(),
        "a completion model does not support `Structured::Tool`"
    );
}

/// The loop: a call, its result, and the answer by the tool. The conversation has the answer as text.
#[tokio::test]
async fn a_tool_loop_ends_with_the_tool() {
    let server = Server::start([
        calls("own", "", &[("look", "{}")]),
        calls("own", "", &[("answer", FIT)]),
    ])
    .await;
    struct Look;
    impl Tools for Look {
        fn tools() -> prompt_core::Result<Vec<Tool>> {
            Ok(vec![Tool::new("look")])
        }
        fn parse(_: &ToolCall) -> prompt_core::Result<Look> {
            Ok(Look)
        }
    }
    let (llm, prompt) = (chat(&server), ask::<City>("Which?"));
    let steps = llm.with_tools(&prompt);
    let finished = steps.run(async |_: Look| Ok("Brest")).await.unwrap();
    assert_eq!((&*finished.value.name, finished.rounds), ("Brest", 1));
    let last = finished.messages.last().unwrap();
    assert_eq!((&*last.text(), last.tool_calls.len()), (FIT, 0));
}
