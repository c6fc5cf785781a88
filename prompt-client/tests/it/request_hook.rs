//! The function of `on_request`, which adds headers to each request.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use prompt_client::reqwest::header::{
    AUTHORIZATION, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue,
};
use prompt_client::{
    ApiKey, CallErrorKind, ChatModel, CompletionModel, EmbeddingModel, HookError, HttpRequest,
    StreamingLlm,
};
use prompt_core::{Embedder, Llm, RecordedLlm, format};
use serde_json::json;

use crate::client::{chat, hello, quick};
use crate::server::{Answer, Server};
use crate::{call_error, text};

const TICKET: HeaderName = HeaderName::from_static("x-ticket");

fn ticket(value: &str) -> HeaderMap {
    HeaderMap::from_iter([(TICKET, HeaderValue::from_str(value).unwrap())])
}

/// A header of the parts of the request.
async fn sign(request: HttpRequest) -> Result<HeaderMap, HookError> {
    let body: serde_json::Value = serde_json::from_slice(request.body())?;
    let key = request.headers().get(AUTHORIZATION);
    let signed = format!(
        "{} {} {} {}",
        request.method(),
        request.url(),
        key.map_or("", |key| key.to_str().unwrap_or_default()),
        body["model"],
    );
    Ok(ticket(&signed))
}

#[tokio::test]
async fn each_kind_of_model_calls_the_function() {
    let vectors = json!({"data": [{"index": 0, "embedding": [1.0]}]});
    let stream = Answer::stream()
        .event(
            &json!({"choices": [{"delta": {"content": "Hi."}, "finish_reason": "stop"}]})
                .to_string(),
        )
        .event("[DONE]");
    let answers = [
        Answer::chat("Hi."),
        stream,
        Answer::text("Hi."),
        Answer::json(200, &vectors),
    ];
    let server = Server::start(answers).await;
    let llm = chat(&server).key(ApiKey::new("k1")).on_request(sign);
    llm.send(&hello()).await.unwrap();
    llm.stream(&hello()).await.unwrap().finish().await.unwrap();
    text(&server).on_request(sign).send(&hello()).await.unwrap();
    let embedder = EmbeddingModel::openai_compatible(&server.url, "m").unwrap();
    let texts = ["a".to_owned()];
    embedder.on_request(sign).embed(&texts).await.unwrap();
    let expected = [
        ("chat/completions", "Bearer k1"),
        ("chat/completions", "Bearer k1"),
        ("completions", ""),
        ("embeddings", ""),
    ];
    for (asked, (path, key)) in server.asked().iter().zip(expected) {
        let header = format!("x-ticket: POST {}/{path} {key} \"m\"\r\n", server.url);
        assert!(asked.headers.contains(&header), "{}", asked.headers);
    }
}

#[tokio::test]
async fn the_function_is_called_for_each_attempt() {
    let server = Server::start([Answer::new(503, "", ""), Answer::chat("Hi.")]).await;
    let calls = Arc::new(AtomicUsize::new(0));
    let llm = chat(&server).on_request(move |_| {
        let number = calls.fetch_add(1, Ordering::Relaxed);
        async move { Ok(ticket(&number.to_string())) }
    });
    llm.send(&hello()).await.unwrap();
    for (number, asked) in server.asked().iter().enumerate() {
        let header = format!("x-ticket: {number}\r\n");
        assert!(asked.headers.contains(&header), "{}", asked.headers);
    }
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn added_headers_replace_those_of_the_request() {
    let server = Server::start([Answer::chat("Hi.")]).await;
    let llm = chat(&server).key(ApiKey::new("k1")).on_request(|_| async {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::from_static("Signed abc"));
        headers.append(TICKET, HeaderValue::from_static("1"));
        headers.append(TICKET, HeaderValue::from_static("2"));
        Ok(headers)
    });
    llm.send(&hello()).await.unwrap();
    let headers = &server.asked()[0].headers;
    assert!(
        headers.contains("x-ticket: 1\r\nx-ticket: 2\r\n"),
        "{headers}"
    );
    assert!(headers.contains("authorization: Signed abc\r\n") && !headers.contains("k1"));
}

#[tokio::test]
async fn errors_of_the_function_are_retried_only_if_they_are_transient() {
    let server = Server::start([Answer::chat("Hi.")]).await;
    let calls = Arc::new(AtomicUsize::new(0));
    let failing = |error: fn() -> HookError| {
        let calls = Arc::clone(&calls);
        chat(&server).on_request(move |_| {
            let is_first = calls.fetch_add(1, Ordering::Relaxed) == 0;
            async move {
                if is_first {
                    Err(error())
                } else {
                    Ok(ticket("1"))
                }
            }
        })
    };
    let expired = failing(|| HookError::new("the credentials have expired"));
    let error = expired.send(&hello()).await.unwrap_err();
    let message =
        "the function of `on_request` failed for `127.0.0.1`: the credentials have expired";
    assert_eq!(error.message(), message);
    let error = call_error(&error);
    assert_eq!((error.kind(), error.attempts()), (CallErrorKind::Key, 1));
    calls.store(0, Ordering::Relaxed);
    let unreachable = failing(|| HookError::new("the vault cannot be reached").transient());
    assert_eq!(unreachable.send(&hello()).await.unwrap().text, "Hi.");
    assert_eq!(
        (calls.load(Ordering::Relaxed), server.asked().len()),
        (2, 1)
    );
}

/// Errors of libraries may contain credentials.
#[tokio::test]
async fn converted_errors_are_named_by_their_type() {
    let server = Server::start([]).await;
    let llm = chat(&server).on_request(|_| async {
        Err(std::io::Error::other("denied for token s3cret"))?;
        Ok(HeaderMap::new())
    });
    let error = llm.send(&hello()).await.unwrap_err();
    assert!(error.message().contains("std::io::error::Error"), "{error}");
    assert!(!format!("{error:#} {error:?}").contains("s3cret"));
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn headers_of_the_http_client_are_refused() {
    let server = Server::start([]).await;
    let llm = chat(&server).on_request(|_| async {
        Ok(HeaderMap::from_iter([(
            CONTENT_LENGTH,
            HeaderValue::from_static("1"),
        )]))
    });
    let error = llm.send(&hello()).await.unwrap_err();
    let message = "the function of `on_request` sets `content-length`, which the HTTP client sets";
    assert_eq!(error.message(), message);
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn added_headers_are_not_sent_without_encryption_to_another_machine() {
    let llm = ChatModel::openai_compatible("http://llm.example/v1", "m").unwrap();
    let llm = llm.on_request(|_| async { Ok(ticket("1")) });
    let error = llm.send(&hello()).await.unwrap_err();
    let message = "the headers of `on_request` would be sent without encryption to `llm.example`";
    assert_eq!(error.message(), message);
}

/// A server that repeats the headers in an answer and in errors, of the last and of an earlier attempt.
#[tokio::test]
async fn added_headers_are_redacted() {
    const TOKEN: &str = "FwoGZXIvYXdzEJr//session+token1";
    const SIGNED: &str = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/us-east-1, Signature=5d672d79c15b13162d9279b0855cfba6";
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = file.join(format!("request-hook-{}.jsonl", std::process::id()));
    let echo = format!(
        "{SIGNED}, token {TOKEN}, FwoGZXIvYXdzEJr%2F%2Fsession%2Btoken1, key AKIAIOSFODNN7EXAMPLE in us-east-1"
    );
    let failed = json!({"error": {"message": echo}});
    let part = json!({"choices": [{"delta": {"content": echo}, "finish_reason": "stop"}]});
    let answers = [
        Answer::chat(&echo),
        Answer::text(&echo),
        Answer::stream().event(&part.to_string()).event("[DONE]"),
        Answer::json(503, &failed),
        Answer::json(400, &failed),
    ];
    let server = Server::start(answers).await;
    let add = |_: HttpRequest| async {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::from_static(SIGNED));
        headers.insert("x-amz-security-token", HeaderValue::from_static(TOKEN));
        headers.insert("x-region", HeaderValue::from_static("us-east-1"));
        Ok(headers)
    };
    let llm = chat(&server).on_request(add);
    let completion = CompletionModel::new(&server.url, "m", format::PLAIN).unwrap();
    let completion = completion.retry(quick()).on_request(add);
    let recorded = RecordedLlm::record(&file, llm.clone()).unwrap();
    let mut texts = vec![recorded.send(&hello()).await.unwrap().text];
    texts.push(completion.send(&hello()).await.unwrap().text);
    let stream = llm.stream(&hello()).await.unwrap();
    texts.push(stream.finish().await.unwrap().text);
    for text in &texts {
        let expected = "AWS4-HMAC-SHA256 [key], token [key], [key], key [key] in us-east-1";
        assert_eq!(text, expected);
    }
    let error = llm.send(&hello()).await.unwrap_err();
    let reports = error.attempts();
    assert!(
        error
            .message()
            .contains("AWS4-HMAC-SHA256 [key], token [key]"),
        "{error}"
    );
    let kept = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let shown = format!(
        "{kept} {llm:?} {error:#} {error:?} {:?} {reports:?}",
        call_error(&error)
    );
    for secret in ["session", "AKIAIO", "5d672d79"] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[tokio::test]
async fn requests_are_shown_without_secrets() {
    let server = Server::start([]).await;
    let url = format!("{}?key=s3cret-of-the-query", server.url);
    let llm = ChatModel::openai_compatible(&url, "m").unwrap();
    let llm = llm
        .key(ApiKey::new("sk-SECRET"))
        .on_request(|request| async move { Err(HookError::new(format!("{request:?}"))) });
    let error = llm.send(&hello()).await.unwrap_err().to_string();
    assert!(
        error.contains("HttpRequest { method: POST, url: \"http://127.0.0.1:"),
        "{error}"
    );
    assert!(error.contains("\"authorization\": Sensitive"), "{error}");
    assert!(
        !error.contains("SECRET") && !error.contains("s3cret"),
        "{error}"
    );
}
