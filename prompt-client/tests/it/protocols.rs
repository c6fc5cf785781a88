//! The same answers in the protocols of all providers: text, reasoning and tool calls, whole, streamed, and interrupted.

use prompt_client::{ApiKey, CallErrorKind, ChatModel, StreamingLlm};
use prompt_core::{FinishReason, Llm, Usage};
use serde_json::{Value, json};

use crate::server::{Answer, Server};
use crate::{call_error, hello};

/// The answers of a provider.
struct Protocol {
    model: &'static str,
    path: &'static str,
    stream_path: &'static str,
    /// The text "Once upon", in 1 and 2 tokens.
    text: Scenario,
    /// The reasoning "Hm." and the call `lakes({"a": 1})`, in 1 and 2 tokens.
    call: Scenario,
    /// The frame of an error inside a stream.
    error: Value,
    /// One object a line, without the frames of events.
    lines: bool,
}

/// An answer, whole and streamed.
struct Scenario {
    whole: Value,
    pieces: Vec<Value>,
    end: Vec<Value>,
}

fn protocols() -> Vec<Protocol> {
    vec![
        anthropic(),
        gemini(),
        ollama(),
        responses(),
        openai(),
        cohere(),
    ]
}

fn anthropic() -> Protocol {
    let scenario = |reason: &str, content: Value, pieces: Vec<Value>| Scenario {
        whole: json!({
            "model": "m", "stop_reason": reason, "usage": {"input_tokens": 1, "output_tokens": 2}, "content": content,
        }),
        pieces,
        end: vec![
            json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"input_tokens": 1, "output_tokens": 2}}),
            json!({"type": "message_stop"}),
        ],
    };
    let start = |block: &Value, index: u8| json!({"type": "content_block_start", "index": index, "content_block": block});
    let delta = |index: u8, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let stop = |index: u8| json!({"type": "content_block_stop", "index": index});
    let text = ["Once ", "upon"].map(|text| delta(0, json!({"type": "text_delta", "text": text})));
    let tool = json!({"type": "tool_use", "id": "c1", "name": "lakes", "input": {}});
    let arguments = [r#"{"a""#, ": 1}"]
        .map(|json| delta(1, json!({"type": "input_json_delta", "partial_json": json})));
    let thinking = [
        start(&json!({"type": "thinking", "thinking": ""}), 0),
        delta(0, json!({"type": "thinking_delta", "thinking": "Hm."})),
        delta(0, json!({"type": "signature_delta", "signature": "s"})),
        stop(0),
        start(&tool, 1),
    ];
    let content = json!([
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "tool_use", "id": "c1", "name": "lakes", "input": {"a": 1}},
    ]);
    Protocol {
        model: "anthropic::m",
        path: "/v1/messages",
        stream_path: "/v1/messages",
        text: scenario(
            "end_turn",
            json!([{"type": "text", "text": "Once upon"}]),
            text.to_vec(),
        ),
        call: scenario(
            "tool_use",
            content,
            [&thinking[..], &arguments, &[stop(1)]].concat(),
        ),
        error: json!({"type": "error", "error": {"type": "overloaded_error", "message": "boom inside"}}),
        lines: false,
    }
}

fn gemini() -> Protocol {
    let candidate = |parts: &[Value]| json!({"content": {"role": "model", "parts": parts}});
    let ended = |parts: &[Value]| {
        let mut candidate = candidate(parts);
        candidate["finishReason"] = json!("STOP");
        json!({"candidates": [candidate], "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3}})
    };
    let scenario = |pieces: &[Value]| Scenario {
        whole: ended(pieces),
        pieces: pieces
            .iter()
            .map(|part| json!({"candidates": [candidate(std::slice::from_ref(part))]}))
            .collect(),
        end: vec![ended(&[])],
    };
    Protocol {
        model: "gemini::m",
        path: "/v1/models/m:generateContent",
        stream_path: "/v1/models/m:streamGenerateContent?alt=sse",
        text: scenario(&[json!({"text": "Once "}), json!({"text": "upon"})]),
        call: scenario(&[
            json!({"text": "Hm.", "thought": true}),
            json!({"functionCall": {"id": "c1", "name": "lakes", "args": {"a": 1}}}),
        ]),
        error: json!({"error": {"code": 503, "message": "boom inside", "status": "UNAVAILABLE"}}),
        lines: false,
    }
}

fn ollama() -> Protocol {
    let line = |message: &Value| json!({"model": "m", "message": message, "done": false});
    let done = |message: &Value| {
        json!({
            "model": "m", "message": message, "done": true, "done_reason": "stop",
            "prompt_eval_count": 1, "eval_count": 2,
        })
    };
    let scenario = |whole: &Value, pieces: &[Value]| Scenario {
        whole: done(whole),
        pieces: pieces.iter().map(line).collect(),
        end: vec![done(&json!({"role": "assistant", "content": ""}))],
    };
    let calls = json!([{"id": "c1", "function": {"name": "lakes", "arguments": {"a": 1}}}]);
    Protocol {
        model: "ollama::m",
        path: "/v1/api/chat",
        stream_path: "/v1/api/chat",
        text: scenario(
            &json!({"role": "assistant", "content": "Once upon"}),
            &["Once ", "upon"].map(|text| json!({"role": "assistant", "content": text})),
        ),
        call: scenario(
            &json!({"role": "assistant", "content": "", "thinking": "Hm.", "tool_calls": calls}),
            &[
                json!({"role": "assistant", "content": "", "thinking": "Hm."}),
                json!({"role": "assistant", "content": "", "tool_calls": calls}),
            ],
        ),
        error: json!({"error": "boom inside"}),
        lines: true,
    }
}

fn responses() -> Protocol {
    let completed = |output: &Value| {
        json!({
            "id": "r", "model": "m", "status": "completed", "output": output,
            "usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
        })
    };
    let scenario = |output: Value, pieces: Vec<Value>| Scenario {
        whole: completed(&output),
        pieces,
        end: vec![json!({"type": "response.completed", "response": completed(&output)})],
    };
    let content = json!([{"type": "output_text", "text": "Once upon"}]);
    let delta =
        |kind: &str, text: &str| json!({"type": format!("response.{kind}.delta"), "delta": text});
    let item = |kind: &str, item: &Value| json!({"type": format!("response.output_item.{kind}"), "item": item});
    let reasoning = json!({"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "Hm."}]});
    let call = |arguments: &str| json!({"type": "function_call", "id": "f1", "call_id": "c1", "name": "lakes", "arguments": arguments});
    Protocol {
        model: "openai_resp::m",
        path: "/v1/responses",
        stream_path: "/v1/responses",
        text: scenario(
            json!([{"type": "message", "role": "assistant", "content": content}]),
            ["Once ", "upon"]
                .map(|text| delta("output_text", text))
                .to_vec(),
        ),
        call: scenario(
            json!([reasoning, call(r#"{"a": 1}"#)]),
            vec![
                delta("reasoning_summary_text", "Hm."),
                item("done", &reasoning),
                item("added", &call("")),
                delta("function_call_arguments", r#"{"a": 1}"#),
                item("done", &call(r#"{"a": 1}"#)),
            ],
        ),
        error: json!({"type": "error", "code": "server_error", "message": "boom inside"}),
        lines: false,
    }
}

fn openai() -> Protocol {
    let chat = |key: &str, message: &Value, finish: Option<&str>| json!({"model": "m", "choices": [{"index": 0, key: message, "finish_reason": finish}]});
    let scenario = |whole: Value, pieces: &[Value], finish: &str| {
        let mut scenario = Scenario {
            whole: chat("message", &whole, Some(finish)),
            pieces: pieces
                .iter()
                .map(|piece| chat("delta", piece, None))
                .collect(),
            end: vec![chat("delta", &json!({}), Some(finish))],
        };
        for body in [&mut scenario.whole, &mut scenario.end[0]] {
            body["usage"] = json!({"prompt_tokens": 1, "completion_tokens": 2});
        }
        scenario
    };
    let call = |arguments: &str| json!({"index": 0, "id": "c1", "type": "function", "function": {"name": "lakes", "arguments": arguments}});
    Protocol {
        model: "openai::m",
        path: "/v1/chat/completions",
        stream_path: "/v1/chat/completions",
        text: scenario(
            json!({"role": "assistant", "content": "Once upon"}),
            &["Once ", "upon"].map(|text| json!({"role": "assistant", "content": text})),
            "stop",
        ),
        call: scenario(
            json!({"content": null, "reasoning_content": "Hm.", "tool_calls": [call(r#"{"a": 1}"#)]}),
            &[
                json!({"reasoning_content": "Hm."}),
                json!({"tool_calls": [call(r#"{"a""#)]}),
                json!({"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}),
            ],
            "tool_calls",
        ),
        error: json!({"error": {"message": "boom inside", "type": "server_error"}}),
        lines: false,
    }
}

fn cohere() -> Protocol {
    let usage = json!({
        "billed_units": {"input_tokens": 0, "output_tokens": 2}, "tokens": {"input_tokens": 1.0, "output_tokens": 2},
    });
    let scenario = |finish: &str, whole: Value, pieces: &[Value]| {
        Scenario {
        whole: json!({"id": "r", "finish_reason": finish, "message": whole, "usage": usage}),
        pieces: [
            &[json!({"type": "message-start", "id": "r", "delta": {"message": {"role": "assistant", "content": []}}})],
            pieces,
        ]
        .concat(),
        end: vec![json!({"type": "message-end", "delta": {"finish_reason": finish, "usage": usage}})],
    }
    };
    let event = |kind: &str, index: u8, message: Value| json!({"type": kind, "index": index, "delta": {"message": message}});
    let content =
        |kind: &str, index: u8, content: Value| event(kind, index, json!({"content": content}));
    let function = |name: &str, arguments: &str| json!({"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}});
    let arguments = |text: &str| {
        event(
            "tool-call-delta",
            0,
            json!({"tool_calls": {"function": {"arguments": text}}}),
        )
    };
    Protocol {
        model: "cohere::m",
        path: "/v1/chat",
        stream_path: "/v1/chat",
        text: scenario(
            "COMPLETE",
            json!({"role": "assistant", "content": [{"type": "text", "text": "Once upon"}]}),
            &[
                content("content-start", 0, json!({"type": "text", "text": ""})),
                content("content-delta", 0, json!({"text": "Once "})),
                content("content-delta", 0, json!({"text": "upon"})),
                json!({"type": "content-end", "index": 0}),
            ],
        ),
        call: scenario(
            "TOOL_CALL",
            json!({
                "role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}],
                "tool_calls": [function("lakes", r#"{"a": 1}"#)],
            }),
            &[
                content(
                    "content-start",
                    0,
                    json!({"type": "thinking", "thinking": ""}),
                ),
                content("content-delta", 0, json!({"thinking": "Hm."})),
                json!({"type": "content-end", "index": 0}),
                event(
                    "tool-call-start",
                    0,
                    json!({"tool_calls": function("lakes", "")}),
                ),
                arguments(r#"{"a""#),
                arguments(": 1}"),
                json!({"type": "tool-call-end", "index": 0}),
            ],
        ),
        error: json!({"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "boom inside"}}),
        lines: false,
    }
}

impl Protocol {
    fn chat(&self, server: &Server) -> ChatModel {
        let llm = ChatModel::new(self.model)
            .unwrap()
            .base_url(&server.url)
            .unwrap();
        llm.key(ApiKey::new("k3y")).retry(crate::quick())
    }

    fn stream(&self, events: &[&[Value]]) -> Answer {
        self.frames(Answer::stream(), events)
    }

    fn frames(&self, head: Answer, events: &[&[Value]]) -> Answer {
        let events = events.iter().flat_map(|events| events.iter());
        events.fold(head, |answer, event| {
            match event.get("type").and_then(Value::as_str) {
                _ if self.lines => answer.bytes(format!("{event}\n")),
                Some(name) => answer.bytes(format!("event: {name}\ndata: {event}\n\n")),
                None => answer.event(&event.to_string()),
            }
        })
    }
}

#[tokio::test]
async fn answers_are_the_same_in_every_protocol() {
    for protocol in protocols() {
        for (scenario, finish) in [
            (&protocol.text, FinishReason::Stop),
            (&protocol.call, FinishReason::ToolCalls),
        ] {
            let answers = [
                Answer::json(200, &scenario.whole),
                protocol.stream(&[&scenario.pieces, &scenario.end]),
            ];
            let server = Server::start(answers).await;
            let (llm, request) = (protocol.chat(&server), hello());
            let replies = [
                llm.send(&request).await.unwrap(),
                llm.stream(&request).await.unwrap().finish().await.unwrap(),
            ];
            for reply in replies {
                let (text, reasoning, calls) = match finish {
                    FinishReason::Stop => ("Once upon", None, 0),
                    _ => ("", Some("Hm."), 1),
                };
                let found = (
                    &*reply.text,
                    reply.reasoning.as_deref(),
                    reply.tool_calls.len(),
                );
                assert_eq!(found, (text, reasoning, calls), "{}", protocol.model);
                assert_eq!(reply.finish, Some(finish.clone()), "{}", protocol.model);
                assert_eq!(reply.usage, Some(Usage::new(1, 2)), "{}", protocol.model);
                assert_eq!(reply.model.as_deref(), Some("m"), "{}", protocol.model);
                if let Some(call) = reply.tool_calls.first() {
                    let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
                    let found = (call.id.as_deref(), &*call.name, arguments);
                    assert_eq!(
                        found,
                        (Some("c1"), "lakes", json!({"a": 1})),
                        "{}",
                        protocol.model
                    );
                }
            }
            let paths: Vec<String> = server.asked().into_iter().map(|asked| asked.path).collect();
            assert_eq!(paths, [protocol.path, protocol.stream_path]);
        }
    }
}

#[tokio::test]
async fn cut_streams_are_errors_in_every_protocol() {
    for protocol in protocols() {
        for scenario in [&protocol.text, &protocol.call] {
            let pieces = &scenario.pieces[..];
            // The body ends, the connection breaks, or the provider reports an error.
            for (answer, reason) in [
                (protocol.stream(&[pieces]), ""),
                (
                    protocol.frames(Answer::chunked().bytes("ffff\r\n"), &[pieces]),
                    "",
                ),
                (
                    protocol.stream(&[pieces, std::slice::from_ref(&protocol.error)]),
                    "boom inside",
                ),
            ] {
                let server = Server::start([answer]).await;
                let request = hello();
                let stream = protocol.chat(&server).stream(&request).await.unwrap();
                let error = stream.finish().await.unwrap_err();
                let shown = format!("{}: {error:#}", protocol.model);
                assert_eq!(
                    call_error(&error).kind(),
                    CallErrorKind::Interrupted,
                    "{shown}"
                );
                assert!(shown.contains(reason), "{shown}");
                if std::ptr::eq(scenario, &raw const protocol.text) {
                    assert_eq!(error.answer(), Some("Once upon"), "{shown}");
                }
            }
        }
    }
}

#[tokio::test]
async fn errors_are_the_same_in_every_protocol() {
    let bodies = [
        json!({"type": "error", "error": {"type": "invalid_request_error", "message": "boom inside"}}),
        json!({"error": {"code": 400, "message": "boom inside", "status": "INVALID_ARGUMENT"}}),
        json!({"error": "boom inside"}),
        json!({"message": "boom inside"}),
    ];
    for protocol in protocols() {
        for body in &bodies {
            for (status, kind, attempts) in [
                (400, CallErrorKind::Refused, 1),
                (429, CallErrorKind::RateLimit, 3),
                (503, CallErrorKind::Server, 3),
            ] {
                let answers = vec![Answer::json(status, body); 6];
                let server = Server::start(answers).await;
                let (llm, request) = (protocol.chat(&server), hello());
                let streamed = llm.stream(&request).await.map(drop);
                for error in [llm.send(&request).await.unwrap_err(), streamed.unwrap_err()] {
                    let shown = format!("{error:#}");
                    assert!(
                        shown.contains("boom inside") && !shown.contains("k3y"),
                        "{shown}"
                    );
                    let error = call_error(&error);
                    let found = (error.kind(), error.status(), error.attempts());
                    assert_eq!(found, (kind, Some(status), attempts), "{}", protocol.model);
                }
            }
        }
        // Malformed JSON, whole and inside a stream.
        let malformed = "{\"choices\": [";
        let frame = match protocol.lines {
            true => format!("{malformed}\n"),
            false => format!("data: {malformed}\n\n"),
        };
        let whole = Answer::new(200, "content-type: application/json\r\n", malformed);
        let server = Server::start([
            whole,
            protocol.stream(&[&protocol.text.pieces]).bytes(frame),
        ])
        .await;
        let (llm, request) = (protocol.chat(&server), hello());
        let error = llm.send(&request).await.unwrap_err();
        assert_eq!(
            call_error(&error).kind(),
            CallErrorKind::Protocol,
            "{}",
            protocol.model
        );
        let error = llm
            .stream(&request)
            .await
            .unwrap()
            .finish()
            .await
            .unwrap_err();
        assert_eq!(
            error.answer(),
            Some("Once upon"),
            "{}: {error:#}",
            protocol.model
        );
    }
}

impl Protocol {
    /// Another serialisation of the same answers: the reply must be the same too.
    async fn check_text(&self, fault: &str, whole: Option<Answer>, streamed: Answer) {
        let shown = format!("{}, {fault}", self.model);
        let (llm, request) = (self.chat(&Server::start([]).await), hello());
        let mut replies = Vec::new();
        if let Some(whole) = whole {
            let server = Server::start([whole]).await;
            let llm = llm.clone().base_url(&server.url).unwrap();
            replies.push(llm.send(&request).await);
        }
        let server = Server::start([streamed]).await;
        let llm = llm.base_url(&server.url).unwrap();
        replies.push(match llm.stream(&request).await {
            Ok(stream) => stream.finish().await,
            Err(error) => Err(error),
        });
        for reply in replies {
            let reply = reply.unwrap_or_else(|error| panic!("{shown}: {error:#}"));
            let finish = Some(FinishReason::Stop);
            assert_eq!(
                (&*reply.text, reply.finish),
                ("Once upon", finish),
                "{shown}"
            );
            assert_eq!(reply.usage, Some(Usage::new(1, 2)), "{shown}");
        }
    }
}

#[tokio::test]
async fn marks_before_an_answer_are_ignored_in_every_protocol() {
    let mark = "\u{feff}";
    for protocol in protocols() {
        let body = format!("{mark}{}", protocol.text.whole);
        let whole = Answer::new(200, "content-type: application/json\r\n", body);
        let head = Answer::stream().bytes(mark);
        let frames = protocol.frames(head, &[&protocol.text.pieces, &protocol.text.end]);
        let in_bytes = frames.clone().slowly(std::time::Duration::ZERO);
        protocol.check_text("mark", Some(whole), frames).await;
        protocol.check_text("mark in bytes", None, in_bytes).await;
    }
}

#[tokio::test]
async fn keep_alives_are_ignored_in_every_protocol() {
    for protocol in protocols() {
        let keep_alives = match protocol.lines {
            true => &["\n", "  \n", "\r\n"][..],
            false => &[
                "data: \n\n",
                "data:\n\n",
                ": ping\n\n",
                "event: ping\n\n",
                "\n\n",
                "data\n\n",
            ],
        };
        for keep_alive in keep_alives {
            let frames = [&protocol.text.pieces[..], &protocol.text.end].concat();
            let answer =
                frames
                    .iter()
                    .fold(Answer::stream().bytes(*keep_alive), |answer, frame| {
                        let answer = answer.bytes(*keep_alive);
                        protocol
                            .frames(answer, &[std::slice::from_ref(frame)])
                            .bytes(*keep_alive)
                    });
            let answer = match protocol.lines {
                true => answer,
                false => answer.bytes(format!("data: [DONE] \n\n{keep_alive}")),
            };
            protocol.check_text(keep_alive, None, answer).await;
        }
    }
}

/// The same value with all numbers as floating-point numbers, or as strings.
fn with_numbers(value: &Value, write: &impl Fn(&serde_json::Number) -> Value) -> Value {
    match value {
        Value::Number(number) => write(number),
        Value::Array(items) => items.iter().map(|item| with_numbers(item, write)).collect(),
        Value::Object(map) => {
            let entries = map.iter();
            entries
                .map(|(key, value)| (key.clone(), with_numbers(value, write)))
                .collect()
        }
        value => value.clone(),
    }
}

#[tokio::test]
async fn token_counts_are_numbers_of_any_form_in_every_protocol() {
    for protocol in protocols() {
        let float = |number: &serde_json::Number| json!(number.as_f64());
        let string = |number: &serde_json::Number| json!(number.to_string());
        let forms: [&dyn Fn(&Value) -> Value; 2] =
            [&|value| with_numbers(value, &float), &|value| {
                with_numbers(value, &string)
            }];
        for form in forms {
            let frames = |frames: &[Value]| frames.iter().map(form).collect::<Vec<_>>();
            let (pieces, end) = (frames(&protocol.text.pieces), frames(&protocol.text.end));
            let whole = Answer::json(200, &form(&protocol.text.whole));
            let streamed = protocol.stream(&[&pieces, &end]);
            protocol.check_text("numbers", Some(whole), streamed).await;
        }
    }
}

#[tokio::test]
async fn further_answers_are_not_merged_into_the_first() {
    for protocol in protocols() {
        let Some(list) = ["choices", "candidates"]
            .into_iter()
            .find(|key| protocol.text.whole.get(key).is_some())
        else {
            continue;
        };
        // The same frame as one of another answer, with other text.
        let other = |frame: &Value| {
            let mut frame: Value = serde_json::from_str(
                &frame
                    .to_string()
                    .replace("Once", "Never")
                    .replace("upon", "!"),
            )
            .unwrap();
            frame[list][0]["index"] = json!(1);
            frame
        };
        let frames = [&protocol.text.pieces[..], &protocol.text.end].concat();
        let both = |frame: &Value| [other(frame), frame.clone(), other(frame)];
        let frames: Vec<Value> = frames.iter().flat_map(both).collect();
        let mut whole = protocol.text.whole.clone();
        let further = other(&whole)[list][0].clone();
        whole[list].as_array_mut().unwrap().insert(0, further);
        let whole = Answer::json(200, &whole);
        protocol
            .check_text("further answers", Some(whole), protocol.stream(&[&frames]))
            .await;
    }
}

#[tokio::test]
async fn whole_messages_after_their_parts_are_read_once() {
    for protocol in [openai(), anthropic(), responses()] {
        let whole = std::slice::from_ref(&protocol.text.whole);
        let [pieces, end] = [&protocol.text.pieces[..], &protocol.text.end];
        let first = std::slice::from_ref(&pieces[0]);
        let mut sent = vec![[pieces, whole, end], [pieces, whole, &[]]];
        if protocol.model == "openai::m" {
            // What is missing is added.
            sent.push([first, whole, end]);
        }
        for frames in sent.into_iter().filter(|_| protocol.model != "responses") {
            let streamed = protocol.frames(Answer::stream(), &frames);
            let streamed = streamed.event("[DONE]");
            protocol.check_text("whole message", None, streamed).await;
        }
    }
}
