//! Tests against llama.cpp's server. `PROMPT_CLIENT_LLAMA` contains its base URL.
//!
//! `tests/llama/test` starts a server and runs these tests, which `cargo test` ignores. The weights of its model are random, so that the answers have
//! no meaning, but the grammars, templates, streams and errors are those of the real server.

mod evaluation;
#[path = "../it/prompt.rs"]
mod prompt;
mod reasoning;
mod smollm2;
mod types;

use std::time::Duration;

use prompt::{City, ask};
use prompt_client::{
    CallError, CallErrorKind, ChatModel, CompletionModel, ReplyStream, RetryPolicy, StreamingLlm,
};
use prompt_core::Structured;
use prompt_core::{
    Error, FinishReason, Llm, Message, Messages, Options, Reply, Request, Tool, format,
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use typed_prompt::Tools;
use types::Outer;

/// The server's address.
fn url() -> String {
    std::env::var("PROMPT_CLIENT_LLAMA")
        .expect("`PROMPT_CLIENT_LLAMA` is the URL of a server: tests/llama/test starts one")
}

fn options(seed: u64) -> Options {
    Options::new().seed(seed).max_tokens(600).temperature(1.0)
}

fn hello() -> Request {
    Request::from_prompt(&Messages::from([Message::user("Hello")])).unwrap()
}

/// The reply to a request, whole and streamed.
async fn send_both(llm: &dyn StreamingLlm, request: &Request) -> [Reply; 2] {
    let whole = llm.send(request).await.unwrap();
    let stream = llm.stream(request).await.unwrap();
    [whole, stream.finish().await.unwrap()]
}

/// The error that ends a stream.
async fn error_of_stream(stream: &mut ReplyStream) -> Error {
    loop {
        match stream.next().await {
            Some(Ok(_)) => {}
            Some(Err(error)) => return error,
            None => panic!("a broken answer passes for a whole one: {stream:?}"),
        }
    }
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn described_schemas_are_not_grammars() {
    let url = url();
    let llm = ChatModel::openai_compatible(&url, "tiny")
        .unwrap()
        .structured(Structured::Described);
    let error = llm
        .call(ask::<City>("What?"))
        .options(options(1))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), prompt_core::ErrorKind::Output, "{error:#}");
    assert!(error.answer().is_some_and(|answer| !answer.is_empty()));
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn streams_equal_whole_answers() {
    let url = url();
    let chat = ChatModel::openai_compatible(&url, "tiny").unwrap();
    let text = CompletionModel::new(&url, "tiny", format::CHATML).unwrap();
    let request = hello().with_options(options(7));
    let replies = [
        chat.send(&request).await.unwrap(),
        text.send(&request).await.unwrap(),
    ];
    assert_eq!(
        replies[0].text.trim(),
        replies[1].text.trim(),
        "the server and this crate wrap alike"
    );
    for model in [&chat as &dyn StreamingLlm, &text] {
        let whole = model.send(&request).await.unwrap();
        let mut stream = model.stream(&request).await.unwrap();
        let mut pieces = 0;
        while let Some(chunk) = stream.next().await {
            chunk.unwrap();
            pieces += 1;
        }
        let reply = stream.reply().unwrap();
        assert_eq!(
            (reply.text.trim(), &reply.finish),
            (whole.text.trim(), &whole.finish)
        );
        assert_eq!(
            reply.usage.map(|usage| usage.output),
            whole.usage.map(|usage| usage.output)
        );
        assert!(pieces > 1 && whole.usage.is_some());
    }
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn conversations_are_formatted_as_by_the_server() {
    let url = url();
    let conversation = [
        Message::system("Be brief."),
        Message::user("One?"),
        Message::assistant("Two."),
        Message::user("Three\n\n  four? äöü 🙂"),
    ];
    let messages = Messages::from(conversation);
    let asked = prompt_client::http_client_builder()
        .build()
        .unwrap()
        .post(url.replace("/v1", "/apply-template"));
    let body = serde_json::to_string(&messages.openai()).unwrap();
    let answer = asked.body(body).send().await.unwrap().text().await.unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(
        answer["prompt"].as_str(),
        Some(&*messages.to_text(format::CHATML).unwrap())
    );
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn final_fields_of_partial_outputs_do_not_change() {
    let url = url();
    let llm = ChatModel::openai_compatible(&url, "tiny").unwrap();
    for seed in 0..8 {
        let mut partials = llm
            .stream_partials(&ask::<Outer>("What?"), options(seed))
            .await
            .unwrap();
        let (mut settled, mut last, mut count) = (Vec::<(&str, Value)>::new(), json!(null), 0);
        while let Some(partial) = partials.next().await {
            let partial = partial.unwrap();
            for (pointer, value) in &settled {
                assert_eq!(
                    partial.value.pointer(pointer),
                    Some(value),
                    "{pointer} was final"
                );
            }
            for pointer in [
                "/first",
                "/first/word",
                "/second/small",
                "/second/signed",
                "/mood",
            ] {
                if partial.is_final(pointer) {
                    settled.push((pointer, partial.value.pointer(pointer).unwrap().clone()));
                }
            }
            (last, count) = (partial.value, count + 1);
        }
        let whole = serde_json::to_value(partials.finish().await.unwrap()).unwrap();
        assert!(
            settled
                .iter()
                .any(|(pointer, _)| *pointer == "/second/signed")
                && count > 3,
            "{count} values, {settled:?}"
        );
        assert_eq!(last["first"], whole["first"]);
    }
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn the_longest_answer_is_not_truncated() {
    let url = url();
    let request = hello().with_options(Options {
        max_tokens: Some(2),
        ..options(7)
    });
    let reply = ChatModel::openai_compatible(&url, "tiny")
        .unwrap()
        .send(&request)
        .await
        .unwrap();
    assert_eq!(
        (reply.finish, reply.usage.unwrap().output),
        (Some(FinishReason::Length), 2)
    );
}

/// Adds two numbers.
#[derive(Tools, Debug)]
#[expect(dead_code, reason = "a random model calls with what means nothing")]
enum Action {
    /// Adds.
    Add { a: u8, b: i64, negate: Option<bool> },
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn tool_calls_are_parsed_into_an_enum() {
    let url = url();
    let llm = ChatModel::openai_compatible(&url, "tiny")
        .unwrap()
        .field("parallel_tool_calls", false)
        .field("tool_choice", "required");
    let ask = Messages::from([Message::user("1+2?")]);
    let options = Options {
        max_tokens: Some(3000),
        ..options(3)
    };
    let mut seen = Vec::new();
    let rounds = llm.with_tools(&ask).max_rounds(2).options(options);
    let error = rounds
        .answer(|action: Action| {
            seen.push(action);
            async { Ok(3) }
        })
        .await
        .unwrap_err();
    // It has to call each time, so it never answers.
    assert_eq!(
        error.message(),
        "the model still calls tools after 2 rounds",
        "{error:#}"
    );
    // Several calls at once are one round.
    assert!(seen.len() >= 2, "{:?}", std::error::Error::source(&error));
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn tools_are_called_and_answered() {
    let url = url();
    let parameters = json!({
        "type": "object", "required": ["a", "b"],
        "properties": {"a": {"type": "integer", "minimum": 0, "maximum": 99}, "b": {"type": "boolean"}},
    });
    let tool = Tool::new("add")
        .with_description("Adds.")
        .with_parameters(parameters);
    let mut messages = Messages::from([Message::user("1+2?")]).with_tool(tool);
    let llm = ChatModel::openai_compatible(&url, "tiny")
        .unwrap()
        .field("parallel_tool_calls", false);
    let forced = llm.clone().field("tool_choice", "required");
    let request = Request::from_prompt(&messages)
        .unwrap()
        .with_options(Options {
            max_tokens: Some(3000),
            ..options(3)
        });
    let replies = send_both(&forced, &request).await;
    for reply in &replies {
        let call = &reply.tool_calls[0];
        assert_eq!(
            (&*call.name, reply.finish.clone()),
            ("add", Some(FinishReason::ToolCalls))
        );
        let arguments: Value = call.json().unwrap().deserialize_as().unwrap();
        assert!(
            arguments["a"].is_u64() && arguments["b"].is_boolean(),
            "{arguments}"
        );
    }
    let call = replies[0].tool_calls[0].clone();
    messages.push(Message::calls([call.clone()]));
    messages.push(Message::tool(call.id.unwrap(), "3").with_name("add"));
    let request = Request::from_prompt(&messages)
        .unwrap()
        .with_options(options(3));
    // The server cannot leave the choice to a model whose delimiter for calls is one token that the server does not list.
    let llm = llm.field("tool_choice", "none");
    assert!(!llm.send(&request).await.unwrap().text.is_empty());
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn rejected_requests_are_errors() {
    let url = url();
    let wrong = ChatModel::openai_compatible(&url.replace("/v1", "/v0"), "tiny").unwrap();
    let error = wrong.send(&hello()).await.unwrap_err();
    let error = CallError::source_of(&error).unwrap();
    assert_eq!(
        (error.kind(), error.status(), error.attempts()),
        (CallErrorKind::Refused, Some(404), 1)
    );
    let llm = ChatModel::openai_compatible(&url, "tiny")
        .unwrap()
        .field("temperature", "hot");
    let error = llm.send(&hello()).await.unwrap_err();
    assert!(
        matches!(
            CallError::source_of(&error).unwrap().kind(),
            CallErrorKind::Refused | CallErrorKind::Server
        ),
        "{error:#}"
    );
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn slow_answers_time_out() {
    let url = url();
    let long = Options {
        timeout: Some(Duration::from_millis(20)),
        max_tokens: Some(6000),
        ..options(1)
    };
    let llm = ChatModel::openai_compatible(&url, "tiny")
        .unwrap()
        .retry(RetryPolicy::none())
        .field("ignore_eos", true);
    let error = llm.send(&hello().with_options(long)).await.unwrap_err();
    assert_eq!(
        CallError::source_of(&error).unwrap().kind(),
        CallErrorKind::Timeout,
        "{error:#}"
    );
}

/// A way to the server that breaks after some bytes of the answer, as when the server is killed.
async fn breaking_after(url: &str, bytes: usize) -> String {
    let server = url
        .trim_start_matches("http://")
        .trim_end_matches("/v1")
        .to_owned();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let there = tokio::net::TcpStream::connect(&server).await.unwrap();
            let ((mut from, mut to), (mut answer, mut ask)) =
                (client.into_split(), there.into_split());
            let asking = tokio::spawn(async move { tokio::io::copy(&mut from, &mut ask).await });
            let mut left = bytes;
            let mut buffer = [0; 512];
            while let Ok(count @ 1..) = answer.read(&mut buffer).await {
                let passed = count.min(left);
                let _ = to.write_all(&buffer[..passed]).await;
                left -= passed;
                if left == 0 {
                    break;
                }
            }
            asking.abort();
        }
    });
    format!("http://{address}/v1")
}

/// A server of a test's own, which can be killed.
struct Own(tokio::process::Child);

impl Own {
    /// Starts it and waits for its address.
    async fn start() -> (Own, String) {
        let serve = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/llama/serve");
        let mut server = tokio::process::Command::new(serve)
            .arg("120")
            .stdout(std::process::Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the server can be started");
        let told = server.stdout.take().expect("it is piped");
        let mut lines = tokio::io::BufReader::new(told).lines();
        let url = lines.next_line().await.expect("it can be read");
        (Own(server), url.expect("the server tells its address"))
    }
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn killed_servers_leave_the_partial_text() {
    let long = Options {
        max_tokens: Some(6000),
        ..options(1)
    };
    let request = hello().with_options(long);
    for kind in ["chat", "text"] {
        let (mut server, url) = Own::start().await;
        let chat = ChatModel::openai_compatible(&url, "tiny")
            .unwrap()
            .retry(RetryPolicy::none())
            .field("ignore_eos", true);
        let text = CompletionModel::new(&url, "tiny", format::CHATML)
            .unwrap()
            .retry(RetryPolicy::none())
            .field("ignore_eos", true);
        let model: &dyn StreamingLlm = if kind == "chat" { &chat } else { &text };
        let mut stream = model.stream(&request).await.unwrap();
        for _ in 0..5 {
            stream.next().await.unwrap().unwrap();
        }
        server.0.kill().await.unwrap();
        let error = error_of_stream(&mut stream).await;
        let call_error = CallError::source_of(&error).unwrap();
        assert_eq!(call_error.kind(), CallErrorKind::Interrupted, "{error:#}");
        assert!(error.answer().is_some_and(|answer| !answer.is_empty()));
        assert_eq!(error.answer(), Some(stream.text_so_far()));
        // A later request has no server, and fails too.
        let error = model.send(&request).await.unwrap_err();
        assert_eq!(
            CallError::source_of(&error).unwrap().kind(),
            CallErrorKind::Connection
        );
    }
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn broken_connections_leave_the_partial_text() {
    let url = url();
    let url = breaking_after(&url, 3000).await;
    let long = Options {
        max_tokens: Some(2000),
        ..options(1)
    };
    let request = hello().with_options(long);
    let chat = ChatModel::openai_compatible(&url, "tiny")
        .unwrap()
        .field("ignore_eos", true);
    let text = CompletionModel::new(&url, "tiny", format::CHATML)
        .unwrap()
        .field("ignore_eos", true);
    for model in [&chat as &dyn StreamingLlm, &text] {
        let mut stream = model.stream(&request).await.unwrap();
        let error = error_of_stream(&mut stream).await;
        assert_eq!(
            CallError::source_of(&error).unwrap().kind(),
            CallErrorKind::Interrupted,
            "{error:#}"
        );
        assert_eq!(error.answer(), Some(stream.text_so_far()));
    }
}
