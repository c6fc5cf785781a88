//! Limits of size and time: servers that send without end, or nothing, and keys that stay on this machine.

use std::time::{Duration, Instant};

use prompt_client::{ApiKey, CallErrorKind, ChatModel, CompletionModel, StreamingLlm};
use prompt_core::{Error, Llm, Options, Request, format};
use serde_json::{Value, json};

use crate::server::{Answer, Server};
use crate::{call_error, chat, hello, text};

const LIMIT: usize = 1 << 20;

/// The additional bytes in the buffers between a server and its client.
const BUFFERS: usize = 16 << 20;

async fn streamed(llm: &dyn StreamingLlm, request: &Request) -> Error {
    match llm.stream(request).await {
        Ok(stream) => stream.finish().await.unwrap_err(),
        Err(error) => error,
    }
}

#[tokio::test]
async fn endless_bodies_are_read_up_to_the_limit() {
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"choices\": [{\"text\": \"";
    let endless = Answer::raw(head).forever("more ".repeat(10_000));
    let failed = Answer::raw("HTTP/1.1 500 No\r\n\r\n").forever("sorry ".repeat(10_000));
    for (answer, kind) in [
        (endless, CallErrorKind::TooLarge),
        (failed, CallErrorKind::Server),
    ] {
        let server = Server::start([answer.clone(), answer]).await;
        let retry = prompt_client::RetryPolicy::none();
        let (a, b) = (chat(&server).retry(retry), text(&server).retry(retry));
        let (a, b) = (a.max_response_bytes(LIMIT), b.max_response_bytes(LIMIT));
        for llm in [&a as &dyn Llm, &b] {
            let error = llm.send(&hello()).await.unwrap_err();
            assert_eq!(call_error(&error).kind(), kind, "{error:.200}");
        }
        server.until(|server| server.open() == 0).await;
        assert!(
            server.written() < 2 * (LIMIT + BUFFERS),
            "{}",
            server.written()
        );
    }
}

#[tokio::test]
async fn endless_parts_of_streams_are_read_up_to_the_limit() {
    let chat = |delta: &Value| json!({"choices": [{"index": 0, "delta": delta}]});
    let call = json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": "1".repeat(50_000)}}]});
    let anthropic =
        |delta: Value| json!({"type": "content_block_delta", "index": 0, "delta": delta});
    let long = "x".repeat(50_000);
    let event = |event: Value| format!("data: {event}\n\n");
    let start = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "c", "name": "f", "input": {}}});
    for (name, first, endless) in [
        ("openai::m", "data: ".to_owned(), long.clone()),
        ("openai::m", String::new(), format!("data: {long}\n")),
        (
            "openai::m",
            String::new(),
            event(chat(&json!({"content": long}))),
        ),
        (
            "openai::m",
            String::new(),
            event(chat(&json!({"reasoning": long}))),
        ),
        ("openai::m", String::new(), event(chat(&call))),
        (
            "anthropic::m",
            event(start),
            event(anthropic(
                json!({"type": "input_json_delta", "partial_json": long}),
            )),
        ),
        (
            "anthropic::m",
            event(
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
            ),
            event(anthropic(
                json!({"type": "thinking_delta", "thinking": long}),
            )),
        ),
        (
            "anthropic::m",
            event(
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
            ),
            event(anthropic(
                json!({"type": "signature_delta", "signature": long}),
            )),
        ),
        (
            "openai::m",
            String::new(),
            event(chat(
                &json!({"tool_calls": vec![json!({"function": {"name": "f"}}); 1000]}),
            )),
        ),
        (
            "openai::m",
            String::new(),
            event(chat(
                &json!({"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": long}]}),
            )),
        ),
        (
            "openai_resp::m",
            String::new(),
            event(json!({"type": "response.output_text.delta", "delta": long})),
        ),
        (
            "gemini::m",
            String::new(),
            event(json!({"candidates": [{"content": {"parts": [{"text": long}]}}]})),
        ),
        ("ollama::m", String::new(), long.clone()),
        (
            "ollama::m",
            String::new(),
            format!("{}\n", json!({"message": {"content": long}, "done": false})),
        ),
    ] {
        let server = Server::start([Answer::stream().bytes(first).forever(endless)]).await;
        let llm = ChatModel::new(name).unwrap().base_url(&server.url).unwrap();
        let llm = llm.key(ApiKey::new("k3y")).max_response_bytes(LIMIT);
        let error = streamed(&llm, &hello()).await;
        assert_eq!(call_error(&error).kind(), CallErrorKind::TooLarge, "{name}");
        server.until(|server| server.open() == 0).await;
        assert!(
            server.written() < LIMIT + BUFFERS,
            "{name}: {}",
            server.written()
        );
    }
}

#[tokio::test]
async fn compressed_bodies_are_not_requested() {
    let server = Server::start([Answer::chat("Hi.")]).await;
    chat(&server).send(&hello()).await.unwrap();
    let headers = server.asked()[0].headers.to_lowercase();
    assert!(!headers.contains("accept-encoding"), "{headers}");
}

#[tokio::test]
async fn gzip_bombs_are_read_up_to_the_limit() {
    use std::io::Write;
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..64 {
        bomb.write_all(&[b' '; LIMIT]).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    let encoded = |kind: &str| {
        let headers = format!("content-type: {kind}\r\ncontent-encoding: gzip\r\n");
        Answer::new(200, &headers, &bomb)
    };
    // The default client does not decompress; one that does stops at the limit.
    let gzip = prompt_client::http_client_builder()
        .gzip(true)
        .build()
        .unwrap();
    for (http, kind) in [
        (None, CallErrorKind::Protocol),
        (Some(gzip), CallErrorKind::TooLarge),
    ] {
        let answers = [encoded("application/json"), encoded("text/event-stream")];
        let server = Server::start(answers).await;
        let mut llm = chat(&server).max_response_bytes(LIMIT);
        if let Some(http) = http {
            llm = llm.http_client(http);
        }
        let error = llm.send(&hello()).await.unwrap_err();
        assert_eq!(call_error(&error).kind(), kind, "{error:.200}");
        let error = streamed(&llm, &hello()).await;
        assert_eq!(call_error(&error).kind(), kind, "{error:.200}");
    }
}

#[tokio::test]
async fn slow_bodies_and_keep_alives_do_not_extend_the_timeout() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
    let pause = Duration::from_millis(20);
    let body = Answer::raw(head).slow_forever(" ", pause);
    let comments = Answer::stream().slow_forever(": ping\n\n", pause);
    let pings = Answer::stream().slow_forever("data: {\"type\": \"ping\"}\n\n", pause);
    let bytes = Answer::stream().bytes("data: ").slow_forever("x", pause);
    for (answer, streams) in [
        (body, false),
        (comments, true),
        (pings, true),
        (bytes, true),
    ] {
        let server = Server::start([answer]).await;
        let timeout = Some(Duration::from_millis(400));
        let request = hello().with_options(Options {
            timeout,
            ..Options::new()
        });
        let llm = ChatModel::new("anthropic::m")
            .unwrap()
            .base_url(&server.url)
            .unwrap();
        let llm = llm.key(ApiKey::new("k3y"));
        let llm = llm.retry(prompt_client::RetryPolicy::none());
        let begin = Instant::now();
        let error = match streams {
            true => streamed(&llm, &request).await,
            false => llm.send(&request).await.unwrap_err(),
        };
        assert_eq!(call_error(&error).kind(), CallErrorKind::Timeout, "{error}");
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
}

/// Heads, chunks and trailers without end, each quickly and slowly: an error within the timeout.
#[tokio::test]
async fn endless_heads_and_trailers_are_bounded() {
    const CHUNKED: &str = "transfer-encoding: chunked\r\n\r\n";
    // What precedes the endless part; `None` where that is all of the answer.
    for (head, unit) in [
        (Some(""), "x-a: aaaaaaaaaaaaaaaa\r\n"),
        (Some("x-a: "), "aaaaaaaaaaaaaaaa"),
        (Some(""), "aaaaaaaaaaaaaaaa"),
        (Some(""), "set-cookie: a=b\r\n"),
        (None, "HTTP/1.1 100 Continue\r\n\r\n"),
        (None, "HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n"),
        (None, "\r\n\r\n\r\n\r\n"),
        (None, "HTTP/1.1 200 aaaaaaaaaaaa"),
        (Some(CHUNKED), "0000000000000000"),
        (Some(CHUNKED), "1;aaaaaaaaaaaaaaa=b"),
        (Some(CHUNKED), "1\r\n\n\r\n"),
        (
            Some("transfer-encoding: chunked\r\n\r\n0\r\n"),
            "x-a: aaaaaaaaaaaaaaaa\r\n",
        ),
        (
            Some("transfer-encoding: chunked\r\n\r\n0\r\nx-a: "),
            "aaaaaaaaaaaaaaaa",
        ),
    ] {
        for (unit, pause) in [
            (unit.repeat(1000), Duration::ZERO),
            (unit.to_owned(), Duration::from_millis(20)),
        ] {
            let answer = |kind: &str| {
                let head =
                    head.map(|head| format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n{head}"));
                Answer::raw(head.unwrap_or_default()).slow_forever(&*unit, pause)
            };
            let answers = [answer("application/json"), answer("text/event-stream")];
            let server = Server::start(answers).await;
            let request = hello().with_options(Options::new().timeout(Duration::from_millis(400)));
            let llm = chat(&server).retry(prompt_client::RetryPolicy::none());
            let llm = llm.max_response_bytes(LIMIT);
            let begin = Instant::now();
            let errors = [
                llm.send(&request).await.unwrap_err(),
                streamed(&llm, &request).await,
            ];
            for error in errors {
                let kind = call_error(&error).kind();
                let is_named = match pause {
                    Duration::ZERO => kind == CallErrorKind::Connection,
                    _ => false,
                };
                assert!(
                    is_named || kind == CallErrorKind::Timeout,
                    "{unit:.40}: {error}"
                );
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "{unit:.40}");
            server.until(|server| server.open() == 0).await;
            assert!(server.written() < 2 * BUFFERS, "{}", server.written());
        }
    }
}

#[tokio::test]
async fn keys_are_not_sent_without_encryption_to_another_machine() {
    const HELP: &str = "use an `https://` URL, or allow it with `.key_over_plain_http(true)`";
    // An address of the range for documentation: a request would only time out.
    let url = "http://192.0.2.1:8080/v1";
    let options = Options::new().timeout(Duration::from_millis(50));
    let request = hello().with_options(options);
    let key = || ApiKey::new("sk-very-secret");
    let quick = prompt_client::RetryPolicy::none();
    let chat = ChatModel::openai_compatible(url, "m").unwrap().retry(quick);
    let text = CompletionModel::new(url, "m", format::PLAIN)
        .unwrap()
        .retry(quick);
    let in_url =
        ChatModel::openai_compatible("http://me:sk-very-secret@192.0.2.1/v1", "m").unwrap();
    let hosted = ChatModel::new("anthropic::m")
        .unwrap()
        .base_url(url)
        .unwrap();
    for llm in [
        &chat.clone().key(key()) as &dyn StreamingLlm,
        &text.key(key()),
        &in_url,
        &hosted.key(key()),
    ] {
        let stream = llm.stream(&request).await.map(drop);
        for error in [llm.send(&request).await.unwrap_err(), stream.unwrap_err()] {
            assert_eq!(call_error(&error).kind(), CallErrorKind::Setup);
            let shown = format!("{error:#} {error:?}");
            assert!(
                shown.contains("192.0.2.1") && shown.contains(HELP),
                "{shown}"
            );
            assert!(!shown.contains("sk-very-secret"), "{shown}");
        }
    }
    // Without a key, or with the permission, the request is sent.
    let allowed = chat.clone().key(key()).key_over_plain_http(true);
    for llm in [chat, allowed] {
        let error = llm.send(&request).await.unwrap_err();
        assert_ne!(call_error(&error).kind(), CallErrorKind::Setup, "{error}");
    }
}
