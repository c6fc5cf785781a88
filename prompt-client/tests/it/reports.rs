//! The report of a call against a server that counts tokens: each request is an attempt, and the tokens are equal, for every protocol.

use std::sync::{Arc, Mutex};

use prompt_client::{
    ApiKey, Cached, ChatModel, CompletionModel, Fallback, Prices, RetryPolicy, StreamingLlm,
};
use prompt_core::{
    Attempt, Llm, Message, Messages, Options, Request, Tool, ToolCall, Usage, format,
};
use serde_json::{Value, json};

use crate::prompt::{City, ask};
use crate::quick;
use crate::server::{Answer, Asked, Server};

/// A model of each protocol, and a completion model.
const PROTOCOLS: [&str; 7] = [
    "openai::m",
    "openai_resp::m",
    "anthropic::m",
    "gemini::m",
    "ollama::m",
    "cohere::m",
    "completion",
];

/// The whole answer of a protocol with these tokens.
fn whole(protocol: &str, text: &str, (input, output): (u64, u64)) -> Value {
    let usage = json!({"prompt_tokens": input, "completion_tokens": output});
    match protocol {
        "openai::m" => {
            json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "usage": usage})
        }
        "completion" => {
            json!({"choices": [{"text": text, "finish_reason": "stop"}], "usage": usage})
        }
        "openai_resp::m" => json!({
            "status": "completed", "usage": {"input_tokens": input, "output_tokens": output},
            "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}],
        }),
        "anthropic::m" => json!({
            "type": "message", "role": "assistant", "stop_reason": "end_turn",
            "usage": {"input_tokens": input, "output_tokens": output}, "content": [{"type": "text", "text": text}],
        }),
        "gemini::m" => json!({
            "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": input, "candidatesTokenCount": output},
        }),
        "ollama::m" => json!({
            "message": {"role": "assistant", "content": text}, "done": true, "done_reason": "stop",
            "prompt_eval_count": input, "eval_count": output,
        }),
        _ => json!({
            "finish_reason": "COMPLETE", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]},
            "usage": {"tokens": {"input_tokens": input, "output_tokens": output}},
        }),
    }
}

/// The beginning of a streamed answer, with these tokens if the protocol counts them before the end of a stream.
fn begun(protocol: &str, (input, output): (u64, u64)) -> Vec<Value> {
    match protocol {
        "openai::m" => vec![json!({
            "choices": [{"index": 0, "delta": {"content": "{"}}],
            "usage": {"prompt_tokens": input, "completion_tokens": output},
        })],
        "completion" => vec![json!({
            "choices": [{"index": 0, "text": "{"}], "usage": {"prompt_tokens": input, "completion_tokens": output},
        })],
        "anthropic::m" => vec![
            json!({"type": "message_start", "message": {"usage": {"input_tokens": input, "output_tokens": output}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "{"}}),
        ],
        "gemini::m" => vec![json!({
            "candidates": [{"content": {"role": "model", "parts": [{"text": "{"}]}}],
            "usageMetadata": {"promptTokenCount": input, "candidatesTokenCount": output},
        })],
        "openai_resp::m" => vec![json!({"type": "response.output_text.delta", "delta": "{"})],
        "ollama::m" => {
            vec![json!({"message": {"role": "assistant", "content": "{"}, "done": false})]
        }
        _ => vec![
            json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "{"}}}}),
        ],
    }
}

/// The protocols that count tokens before the end of a stream.
const COUNTS_EARLY: [&str; 4] = ["openai::m", "anthropic::m", "gemini::m", "completion"];

/// A streamed answer that breaks after its beginning.
fn broken(protocol: &str, tokens: (u64, u64)) -> (Answer, (u64, u64)) {
    let events = begun(protocol, tokens);
    let stream = events
        .iter()
        .fold(Answer::stream(), |answer, event| match protocol {
            "ollama::m" => answer.bytes(format!("{event}\n")),
            _ => answer.event(&event.to_string()),
        });
    let is_counted = COUNTS_EARLY.contains(&protocol);
    (stream, if is_counted { tokens } else { NONE })
}

/// A whole answer as a stream, with these tokens.
fn streamed(protocol: &str, text: &str, tokens: (u64, u64)) -> (Answer, (u64, u64)) {
    let whole = whole(protocol, text, tokens);
    let (input, output) = tokens;
    let events = match protocol {
        "openai::m" => {
            let usage = json!({"choices": [], "usage": whole["usage"]});
            vec![
                json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]}),
                usage,
            ]
        }
        "openai_resp::m" => vec![
            json!({"type": "response.output_text.delta", "delta": text}),
            json!({"type": "response.completed", "response": whole}),
        ],
        "anthropic::m" => vec![
            json!({"type": "message_start", "message": {"usage": {"input_tokens": input, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": output}}),
            json!({"type": "message_stop"}),
        ],
        "cohere::m" => vec![
            json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": text}}}}),
            json!({"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": whole["usage"]}}),
        ],
        _ => vec![whole],
    };
    let stream = events
        .iter()
        .fold(Answer::stream(), |answer, event| match protocol {
            "ollama::m" => answer.bytes(format!("{event}\n")),
            _ => answer.event(&event.to_string()),
        });
    (stream, tokens)
}

/// A call of the tool `look` as the whole answer of a protocol with these tokens.
fn calling(protocol: &str, tokens: (u64, u64)) -> (Answer, (u64, u64)) {
    let mut body = whole(protocol, "", tokens);
    let function = json!({"name": "look", "arguments": "{}"});
    let calls = json!([{"id": "c1", "type": "function", "function": function}]);
    match protocol {
        "openai::m" => body["choices"][0]["message"]["tool_calls"] = calls,
        "openai_resp::m" => {
            body["output"] = json!([{"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}]);
        }
        "anthropic::m" => {
            body["content"] =
                json!([{"type": "tool_use", "id": "c1", "name": "look", "input": {}}]);
        }
        "gemini::m" => {
            let call = json!({"functionCall": {"name": "look", "args": {}}});
            body["candidates"][0]["content"]["parts"] = json!([call]);
        }
        "ollama::m" => {
            body["message"]["tool_calls"] =
                json!([{"function": {"name": "look", "arguments": {}}}]);
        }
        _ => body["message"] = json!({"role": "assistant", "tool_calls": calls}),
    }
    (Answer::json(200, &body), tokens)
}

/// Sets the reason why an answer ended.
fn with_reason(protocol: &str, mut body: Value, reason: &str) -> Value {
    let pointer = match protocol {
        "openai::m" | "completion" => "/choices/0/finish_reason",
        "openai_resp::m" => "/status",
        "anthropic::m" => "/stop_reason",
        "gemini::m" => "/candidates/0/finishReason",
        "ollama::m" => "/done_reason",
        _ => "/finish_reason",
    };
    *body.pointer_mut(pointer).unwrap() = json!(reason);
    body
}

/// The answer without its tokens.
fn without_usage(mut body: Value) -> Value {
    for key in ["usage", "usageMetadata", "prompt_eval_count", "eval_count"] {
        body.as_object_mut().unwrap().remove(key);
    }
    body
}

/// The model at a server, with prices of 1 and 2.
fn model(protocol: &str, server: &Server, retry: RetryPolicy) -> Box<dyn StreamingLlm> {
    let prices = Prices::per_million(1e6, 2e6);
    if protocol == "completion" {
        let llm = CompletionModel::new(&server.url, "m", format::PLAIN).unwrap();
        return Box::new(llm.retry(retry).prices(prices));
    }
    let llm = ChatModel::new(protocol)
        .unwrap()
        .base_url(&server.url)
        .unwrap();
    Box::new(llm.key(ApiKey::new("k3y")).retry(retry).prices(prices))
}

/// A server that answers in order, and counts the tokens of its answers.
async fn counting(answers: Vec<(Answer, (u64, u64))>) -> (Server, Arc<Mutex<Usage>>) {
    let counted = Arc::new(Mutex::new(Usage::default()));
    let count = Arc::clone(&counted);
    let mut answers = answers.into_iter();
    let server = Server::by(move |_: &Asked| {
        let (answer, (input, output)) = answers.next().unwrap();
        *count.lock().unwrap() += Usage::new(input, output);
        answer
    });
    (server.await, counted)
}

const FIT: &str = r#"{"name": "Brest", "people": 139000}"#;
const NONE: (u64, u64) = (0, 0);

fn down() -> (Answer, (u64, u64)) {
    (Answer::new(503, "", "down"), NONE)
}

/// What each attempt is: an answer, a refused answer, or an error.
fn kinds(attempts: &[Attempt]) -> String {
    let kind = |attempt: &Attempt| match (&attempt.reply, &attempt.error) {
        (Some(_), None) => 'a',
        (Some(_), Some(_)) => 'r',
        _ => 'e',
    };
    attempts.iter().map(kind).collect()
}

#[tokio::test]
async fn retries_and_refused_answers_are_attempts() {
    for protocol in PROTOCOLS {
        let answer = |text, tokens| (Answer::json(200, &whole(protocol, text, tokens)), tokens);
        // The answers of the server, and the attempts of the report.
        let table = [
            (vec![answer(FIT, (20, 5))], "a"),
            (vec![down(), answer(FIT, (20, 5))], "ea"),
            (
                vec![
                    down(),
                    answer("none", (10, 3)),
                    down(),
                    down(),
                    answer(FIT, (20, 5)),
                ],
                "ereea",
            ),
            (vec![answer("none", (10, 3)), answer("none", (20, 5))], "rr"),
            (
                vec![answer("none", (10, 3)), down(), down(), down()],
                "reee",
            ),
            (vec![(Answer::new(401, "", "who"), NONE)], "e"),
        ];
        for (answers, expected) in table {
            let requests = answers.len();
            let (server, counted) = counting(answers).await;
            let llm = model(protocol, &server, quick());
            let prompt = ask::<City>("Which city?");
            let called = llm.call(&prompt).output_retries(1).detailed().await;
            let (attempts, usage, cost) = match &called {
                Ok(answered) => (&answered.attempts[..], answered.usage(), answered.cost()),
                Err(error) => (error.attempts(), error.usage(), error.cost()),
            };
            let counted = *counted.lock().unwrap();
            assert_eq!(kinds(attempts), expected, "{protocol}");
            assert_eq!(server.asked().len(), requests, "{protocol} {expected}");
            assert_eq!(usage, counted, "{protocol} {expected}");
            let priced = counted != Usage::default();
            let costs = (counted.input + 2 * counted.output) as f64;
            assert_eq!(cost, priced.then_some(costs), "{protocol} {expected}");
            assert!(attempts.iter().all(|attempt| attempt.request.is_some()));
        }
    }
}

#[tokio::test]
async fn tokens_of_streams_that_break_are_counted() {
    for protocol in PROTOCOLS {
        let (server, counted) = counting(vec![down(), broken(protocol, (30, 1))]).await;
        let llm = model(protocol, &server, quick());
        let partials = llm
            .stream_partials(&ask::<City>("Which city?"), Options::new())
            .await;
        let error = partials.unwrap().detailed().await.unwrap_err();
        assert_eq!(kinds(error.attempts()), "ee", "{protocol}: {error:?}");
        assert_eq!(error.usage(), *counted.lock().unwrap(), "{protocol}");
        assert_eq!(error.answer(), Some("{"), "{protocol}: {error}");
        // The error of the stream has the same report, and stays the result.
        let (server, counted) = counting(vec![down(), broken(protocol, (30, 1))]).await;
        let llm = model(protocol, &server, quick());
        let prompt = ask::<City>("Which city?");
        let mut partials = llm.stream_partials(&prompt, Options::new()).await.unwrap();
        let failed = loop {
            if let Some(Err(error)) = partials.next().await {
                break error;
            }
        };
        for error in [failed, partials.finish().await.unwrap_err()] {
            assert_eq!(kinds(error.attempts()), "ee", "{protocol}: {error:?}");
            assert_eq!(error.usage(), *counted.lock().unwrap(), "{protocol}");
        }
        let cost = COUNTS_EARLY.contains(&protocol).then_some(32.0);
        assert_eq!(error.cost(), cost, "{protocol}");
    }
}

#[tokio::test]
async fn tokens_of_streams_are_counted() {
    for protocol in PROTOCOLS {
        let answers = vec![
            down(),
            streamed(protocol, FIT, (20, 5)),
            down(),
            streamed(protocol, "none", (10, 3)),
        ];
        let (server, counted) = counting(answers).await;
        let llm = Fallback::new(
            model(protocol, &server, RetryPolicy::none()),
            model(protocol, &server, RetryPolicy::none()),
        );
        let llm = prompt_client::Budget::new(llm);
        let prompt = ask::<City>("Which city?");
        let partials = llm.stream_partials(&prompt, Options::new()).await.unwrap();
        let answered = partials.detailed().await.unwrap();
        assert_eq!(kinds(&answered.attempts), "ea", "{protocol}");
        assert_eq!(answered.usage(), *counted.lock().unwrap(), "{protocol}");
        assert_eq!(answered.cost(), Some(30.0), "{protocol}");
        let partials = llm.stream_partials(&prompt, Options::new()).await.unwrap();
        let error = partials.detailed().await.unwrap_err();
        assert_eq!(kinds(error.attempts()), "er", "{protocol}: {error:?}");
        assert_eq!(error.usage(), Usage::new(10, 3), "{protocol}");
        assert_eq!(llm.spent().usage, *counted.lock().unwrap(), "{protocol}");
    }
}

/// The requests of a tool loop, and those of one that ends with an error.
#[tokio::test]
async fn tokens_of_tool_loops_are_counted() {
    let look = Messages::from([Message::user("Look.")]).with_tool(Tool::new("look"));
    for protocol in PROTOCOLS.into_iter().filter(|name| *name != "completion") {
        let answer = (
            Answer::json(200, &whole(protocol, "Seen.", (20, 5))),
            (20, 5),
        );
        let rounds = || {
            vec![
                down(),
                calling(protocol, (10, 3)),
                calling(protocol, (11, 4)),
                down(),
            ]
        };
        let (server, counted) = counting([rounds(), vec![answer]].concat()).await;
        let llm = model(protocol, &server, quick());
        let finished = llm
            .with_own_tools(&look)
            .run(async |_: ToolCall| Ok("a lake"));
        let finished = finished.await.unwrap();
        assert_eq!(
            (&*finished.value, finished.rounds),
            ("Seen.", 2),
            "{protocol}"
        );
        assert_eq!(kinds(&finished.attempts), "eaaea", "{protocol}");
        assert_eq!(finished.usage(), *counted.lock().unwrap(), "{protocol}");
        assert_eq!(finished.cost(), Some(65.0), "{protocol}");

        let (server, counted) = counting([rounds(), vec![down(), down()]].concat()).await;
        let llm = model(protocol, &server, quick());
        let run = llm
            .with_own_tools(&look)
            .run(async |_: ToolCall| Ok("a lake"));
        let error = run.await.unwrap_err();
        assert_eq!(kinds(error.attempts()), "eaaeee", "{protocol}");
        assert_eq!(error.usage(), *counted.lock().unwrap(), "{protocol}");
        assert_eq!(error.messages().map(Messages::len), Some(5), "{protocol}");

        // With events, the loop streams its answers.
        let (server, counted) = counting(vec![broken(protocol, (30, 1))]).await;
        let llm = model(protocol, &server, quick());
        let run = llm.with_own_tools(&look).on_event(drop);
        let error = run.run(async |_: ToolCall| Ok("a lake")).await.unwrap_err();
        assert_eq!(error.usage(), *counted.lock().unwrap(), "{protocol}");
    }
}

/// Streams that break, retries, and refused answers of a first model, and the answer of a second one.
#[tokio::test]
async fn tokens_of_fallbacks_are_equal_for_each_protocol() {
    for protocol in PROTOCOLS {
        let answer = |text, tokens| (Answer::json(200, &whole(protocol, text, tokens)), tokens);
        let (first, of_first) =
            counting(vec![answer("none", (10, 3)), down(), down(), down()]).await;
        let (second, of_second) = counting(vec![down(), answer(FIT, (20, 5))]).await;
        let llm = Fallback::new(
            model(protocol, &first, quick()),
            model(protocol, &second, quick()),
        );
        let llm = prompt_client::Budget::new(llm);
        let prompt = ask::<City>("Which city?");
        let answered = llm
            .call(&prompt)
            .output_retries(1)
            .detailed()
            .await
            .unwrap();
        let mut counted = *of_first.lock().unwrap();
        counted += *of_second.lock().unwrap();
        assert_eq!(kinds(&answered.attempts), "reeeea", "{protocol}");
        assert_eq!(answered.usage(), counted, "{protocol}");
        assert_eq!(
            (llm.spent().usage, llm.spent().replies),
            (counted, 2),
            "{protocol}"
        );
    }
}

#[tokio::test]
async fn answers_without_tokens_or_with_an_unknown_reason_are_answers() {
    for protocol in PROTOCOLS {
        let body = whole(protocol, FIT, (20, 5));
        let answers = [
            Answer::json(200, &without_usage(body.clone())),
            Answer::json(200, &with_reason(protocol, body, "lunch_break")),
        ];
        let server = Server::start(answers).await;
        let llm = model(protocol, &server, quick());
        let prompt = ask::<City>("Which city?");
        let answered = llm.call(&prompt).detailed().await.unwrap();
        assert_eq!(answered.attempts[0].usage, None, "{protocol}");
        assert_eq!(answered.cost(), None, "{protocol}");
        let answered = llm.call(&prompt).detailed().await.unwrap();
        let finish = answered.reply().unwrap().finish.clone();
        let unknown = prompt_core::FinishReason::Other("lunch_break".to_owned());
        assert_eq!(finish, Some(unknown), "{protocol}");
    }
}

/// An error inside of a successful answer, after its tokens.
#[tokio::test]
async fn tokens_of_answers_with_an_error_are_counted() {
    for protocol in PROTOCOLS {
        let mut body = whole(protocol, FIT, (7, 2));
        body["error"] = json!({"code": 400, "message": "the answer was withheld"});
        let (server, counted) = counting(vec![(Answer::json(200, &body), (7, 2))]).await;
        let error = model(protocol, &server, quick())
            .call(ask::<City>("Which city?"))
            .await;
        let error = error.unwrap_err();
        assert_eq!(
            error.usage(),
            *counted.lock().unwrap(),
            "{protocol}: {error:?}"
        );
    }
}

#[tokio::test]
async fn the_attempts_of_all_models_of_a_fallback_are_in_the_report() {
    let protocol = "openai::m";
    let answer = Answer::json(200, &whole(protocol, FIT, (20, 5)));
    let (first, _) = counting(vec![down(), down(), down()]).await;
    let (second, _) = counting(vec![down(), (answer, (20, 5))]).await;
    let llm = Fallback::new(
        model(protocol, &first, quick()),
        model(protocol, &second, quick()),
    );
    let prompt = ask::<City>("Which city?");
    let answered = llm.call(&prompt).detailed().await.unwrap();
    assert_eq!(kinds(&answered.attempts), "eeeea");
    assert_eq!(
        (answered.usage(), answered.cost()),
        (Usage::new(20, 5), Some(30.0))
    );
    // A kept answer sends nothing, and costs nothing.
    let (server, _) = counting(vec![(
        Answer::json(200, &whole(protocol, FIT, (20, 5))),
        (20, 5),
    )])
    .await;
    let llm = Cached::new(
        model(protocol, &server, quick()),
        std::time::Duration::from_secs(60),
    )
    .unwrap();
    for (usage, cost) in [(Usage::new(20, 5), 30.0), (Usage::default(), 0.0)] {
        let answered = llm.call(&prompt).detailed().await.unwrap();
        assert_eq!(
            (kinds(&answered.attempts), answered.usage()),
            ("a".to_owned(), usage)
        );
        assert_eq!(answered.cost(), Some(cost));
    }
}

#[tokio::test]
async fn chunks_of_a_model_are_passed_on_by_each_wrapper() {
    let stream = || {
        let delta = json!({"choices": [{"index": 0, "delta": {"content": "Hi"}}]}).to_string();
        let end = json!({"choices": [{"index": 0, "delta": {"content": " you."}, "finish_reason": "stop"}]}).to_string();
        (
            Answer::stream().event(&delta).event(&end).event("[DONE]"),
            NONE,
        )
    };
    let (server, _) = counting(vec![down(), stream()]).await;
    let (broken, _) = counting(vec![down()]).await;
    let protocol = "openai::m";
    let first = model(protocol, &broken, RetryPolicy::none());
    let llm = Fallback::new(first, model(protocol, &server, quick()));
    let llm = prompt_client::Budget::new(
        prompt_client::RateLimited::new(llm, 1000, std::time::Duration::from_secs(1)).unwrap(),
    );
    let llm = Cached::new(llm, std::time::Duration::from_secs(60)).unwrap();
    let request: Request = crate::hello();
    for expected in [&["Hi", " you."][..], &["Hi ", "you."]] {
        let mut texts = Vec::new();
        let mut on_chunk = |chunk: prompt_core::Chunk| texts.push(chunk.text().unwrap().to_owned());
        let reply = llm.send_streamed(&request, &mut on_chunk).await.unwrap();
        assert_eq!(
            (&*reply.text, &texts[..]),
            (
                "Hi you.",
                &expected
                    .iter()
                    .map(|text| (*text).to_owned())
                    .collect::<Vec<_>>()[..]
            )
        );
    }
    assert_eq!((server.asked().len(), broken.asked().len()), (2, 1));
}
