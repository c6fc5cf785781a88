//! The same answer in the protocols of several providers: whole, streamed, and cut off.

use prompt_client::{ApiKey, CallErrorKind, ChatModel, StreamingLlm};
use prompt_core::{FinishReason, Llm, Usage};
use serde_json::{Value, json};

use crate::server::{Answer, Server};
use crate::{call_error, hello};

/// A provider's words for "Once upon", in 1 and 2 tokens.
struct Protocol {
    model: &'static str,
    path: &'static str,
    stream_path: &'static str,
    whole: Value,
    pieces: Vec<Value>,
    end: Vec<Value>,
    /// One object a line, without the frames of events.
    lines: bool,
}

fn protocols() -> Vec<Protocol> {
    let anthropic = Protocol {
        model: "anthropic::m",
        path: "/v1/messages",
        stream_path: "/v1/messages",
        whole: json!({
            "model": "m", "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 2},
            "content": [{"type": "text", "text": "Once upon"}],
        }),
        pieces: ["Once ", "upon"]
            .map(|text| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}))
            .to_vec(),
        end: vec![
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"input_tokens": 1, "output_tokens": 2}}),
            json!({"type": "message_stop"}),
        ],
        lines: false,
    };
    let candidate = |text: &str| json!({"content": {"role": "model", "parts": [{"text": text}]}});
    let ended = |text: &str| {
        let mut candidate = candidate(text);
        candidate["finishReason"] = json!("STOP");
        json!({"candidates": [candidate], "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3}})
    };
    let gemini = Protocol {
        model: "gemini::m",
        path: "/v1/models/m:generateContent",
        stream_path: "/v1/models/m:streamGenerateContent?alt=sse",
        whole: ended("Once upon"),
        pieces: ["Once ", "upon"]
            .map(|text| json!({"candidates": [candidate(text)]}))
            .to_vec(),
        end: vec![ended("")],
        lines: false,
    };
    let done = |text: &str| {
        json!({
            "model": "m", "message": {"role": "assistant", "content": text}, "done": true, "done_reason": "stop",
            "prompt_eval_count": 1, "eval_count": 2,
        })
    };
    let ollama = Protocol {
        model: "ollama::m",
        path: "/v1/api/chat",
        stream_path: "/v1/api/chat",
        whole: done("Once upon"),
        pieces: ["Once ", "upon"]
            .map(|text| json!({"model": "m", "message": {"role": "assistant", "content": text}, "done": false}))
            .to_vec(),
        end: vec![done("")],
        lines: true,
    };
    let completed = |output: Value| {
        json!({
            "id": "r", "model": "m", "status": "completed", "output": output,
            "usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
        })
    };
    let content = json!([{"type": "output_text", "text": "Once upon"}]);
    let message = json!([{"type": "message", "role": "assistant", "content": content}]);
    let responses = Protocol {
        model: "openai_resp::m",
        path: "/v1/responses",
        stream_path: "/v1/responses",
        whole: completed(message.clone()),
        pieces: ["Once ", "upon"]
            .map(|text| json!({"type": "response.output_text.delta", "delta": text}))
            .to_vec(),
        end: vec![json!({"type": "response.completed", "response": completed(message)})],
        lines: false,
    };
    let chat = |key: &str, text: &str, finish: Option<&str>| json!({"model": "m", "choices": [{"index": 0, key: {"role": "assistant", "content": text}, "finish_reason": finish}]});
    // Cohere's API that is compatible with OpenAI's.
    let [openai, cohere] = ["openai::m", "cohere::m"].map(|model| {
        let mut whole = chat("message", "Once upon", Some("stop"));
        whole["usage"] = json!({"prompt_tokens": 1, "completion_tokens": 2});
        let mut end = chat("delta", "", Some("stop"));
        end["usage"] = whole["usage"].clone();
        Protocol {
            model,
            path: "/v1/chat/completions",
            stream_path: "/v1/chat/completions",
            whole,
            pieces: ["Once ", "upon"]
                .map(|text| chat("delta", text, None))
                .to_vec(),
            end: vec![end],
            lines: false,
        }
    });
    vec![anthropic, gemini, ollama, responses, openai, cohere]
}

impl Protocol {
    fn chat(&self, server: &Server) -> ChatModel {
        let llm = ChatModel::new(self.model)
            .unwrap()
            .with_base_url(&server.url)
            .unwrap();
        llm.with_key(ApiKey::new("k3y")).with_retry(crate::quick())
    }

    fn stream(&self, events: &[&[Value]]) -> Answer {
        let events = events.iter().flat_map(|events| events.iter());
        events.fold(Answer::stream(), |answer, event| {
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
        let answers = [
            Answer::json(200, &protocol.whole),
            protocol.stream(&[&protocol.pieces, &protocol.end]),
        ];
        let server = Server::start(answers).await;
        let (llm, request) = (protocol.chat(&server), hello());
        let replies = [
            llm.send(&request).await.unwrap(),
            llm.stream(&request).await.unwrap().finish().await.unwrap(),
        ];
        for reply in replies {
            assert_eq!(
                (&*reply.text, reply.finish),
                ("Once upon", Some(FinishReason::Stop)),
                "{}",
                protocol.model
            );
            assert_eq!(reply.usage, Some(Usage::new(1, 2)), "{}", protocol.model);
        }
        let paths: Vec<String> = server.asked().into_iter().map(|asked| asked.path).collect();
        assert_eq!(paths, [protocol.path, protocol.stream_path]);
    }
}

#[tokio::test]
async fn cut_streams_are_errors_in_every_protocol() {
    for protocol in protocols() {
        let server = Server::start([protocol.stream(&[&protocol.pieces])]).await;
        let request = hello();
        let error = protocol
            .chat(&server)
            .stream(&request)
            .await
            .unwrap()
            .finish()
            .await
            .unwrap_err();
        assert_eq!(
            call_error(&error).kind(),
            CallErrorKind::Interrupted,
            "{}: {error:#}",
            protocol.model
        );
        assert_eq!(error.answer(), Some("Once upon"));
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
        let server =
            Server::start([whole, protocol.stream(&[&protocol.pieces]).bytes(frame)]).await;
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
