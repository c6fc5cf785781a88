//! Errors of calls and their retries, for chat models and completion models alike.

use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use prompt_client::{ApiKey, CallErrorKind, ChatModel, EmbeddingModel, RateLimited, RetryPolicy};
use prompt_core::{Embedder, ErrorKind, Llm, Message, Messages, MockLlm, Options, Reply, Request};
use serde_json::json;

use crate::server::{Answer, Server};
use crate::{call_error, chat, hello, text};

const MS: Duration = Duration::from_millis(1);

/// Both kinds of models with a server that sends these answers, and the number of requests of each.
async fn both(
    answers: &[Answer],
    good: [Answer; 2],
    check: impl Fn(prompt_core::Result<Reply>, usize),
) {
    let [good_chat, good_text] = good;
    let server = Server::start(answers.iter().cloned().chain([good_chat])).await;
    check(
        chat(&server).max_response_bytes(1000).send(&hello()).await,
        server.asked().len(),
    );
    let server = Server::start(answers.iter().cloned().chain([good_text])).await;
    check(
        text(&server).max_response_bytes(1000).send(&hello()).await,
        server.asked().len(),
    );
}

fn good() -> [Answer; 2] {
    [Answer::chat("Hi."), Answer::text("Hi.")]
}

/// It recovers after one more attempt.
async fn recovers(fault: Answer) {
    both(&[fault], good(), |reply, asked| {
        assert_eq!(reply.unwrap().text, "Hi.");
        assert_eq!(asked, 2);
    })
    .await;
}

/// The call fails with this cause and is not retried.
async fn fails(fault: Answer, cause: CallErrorKind, message: &str) {
    both(&[fault], good(), |reply, asked| {
        let error = reply.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Model);
        assert_eq!(call_error(&error).kind(), cause, "{error:#}");
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(asked, 1);
    })
    .await;
}

#[tokio::test]
async fn rate_limits_are_retried_after_the_requested_delay() {
    for header in ["retry-after-ms: 150\r\n", "retry-after: 0.15\r\n"] {
        let begun = Instant::now();
        recovers(Answer::new(429, header, "slow down")).await;
        assert!(
            begun.elapsed() >= 300 * MS,
            "one pause for each of the two models"
        );
        assert!(begun.elapsed() < 3000 * MS);
    }
}

#[tokio::test]
async fn rate_limits_with_a_too_long_delay_are_not_retried() {
    let answer = Answer::new(
        429,
        "retry-after: 3600\r\n",
        r#"{"error":{"message":"quota exceeded"}}"#,
    );
    both(&[answer], good(), |reply, asked| {
        let error = reply.unwrap_err();
        let error = call_error(&error);
        assert_eq!(
            (error.kind(), error.status()),
            (CallErrorKind::RateLimit, Some(429))
        );
        assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
        assert_eq!(
            error.to_string(),
            "the server answers with status 429: quota exceeded"
        );
        assert_eq!(asked, 1);
    })
    .await;
}

#[tokio::test]
async fn retry_after_may_be_a_date() {
    // It has passed.
    recovers(Answer::new(
        429,
        "retry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
        "slow down",
    ))
    .await;
    let far = Answer::new(
        503,
        "retry-after: Fri, 31 Dec 9999 23:59:59 GMT\r\n",
        "closed",
    );
    both(&[far], good(), |reply, asked| {
        let error = reply.unwrap_err();
        assert!(call_error(&error).retry_after() > Some(Duration::from_secs(3600)));
        assert_eq!(asked, 1);
    })
    .await;
}

#[tokio::test]
async fn server_errors_are_retried_up_to_the_limit() {
    recovers(Answer::new(500, "", "oops")).await;
    recovers(Answer::new(
        503,
        "content-type: text/html\r\n",
        "<html>busy</html>",
    ))
    .await;
    let always = [
        Answer::new(502, "", "oops"),
        Answer::new(502, "", "oops"),
        Answer::new(502, "", "oops"),
    ];
    both(&always, good(), |reply, asked| {
        let error = reply.unwrap_err();
        assert_eq!(
            (call_error(&error).kind(), call_error(&error).attempts()),
            (CallErrorKind::Server, 3)
        );
        assert_eq!(
            error.to_string(),
            "the server answers with status 502: oops (after 3 attempts)"
        );
        assert_eq!(asked, 3);
    })
    .await;
}

#[tokio::test]
async fn rejected_requests_are_not_retried() {
    fails(
        Answer::json(400, &json!({"error": {"message": "no such field"}})),
        CallErrorKind::Refused,
        "no such field",
    )
    .await;
    fails(
        Answer::json(401, &json!({"detail": "who are you?"})),
        CallErrorKind::Refused,
        "who are you?",
    )
    .await;
    fails(
        Answer::new(404, "", ""),
        CallErrorKind::Refused,
        "status 404",
    )
    .await;
    fails(
        Answer::new(302, "location: http://127.0.0.1:9/\r\n", ""),
        CallErrorKind::Refused,
        "status 302",
    )
    .await;
}

#[tokio::test]
async fn malformed_responses_are_quoted() {
    let page = Answer::new(200, "content-type: text/html\r\n", "<html>Log in</html>");
    fails(
        page,
        CallErrorKind::Protocol,
        "text/html instead of application/json: <html>Log in</html>",
    )
    .await;
    fails(
        Answer::new(200, "", "Hi."),
        CallErrorKind::Protocol,
        "no content type",
    )
    .await;
    let cut = Answer::new(
        200,
        "content-type: application/json\r\n",
        r#"{"choices": [{"#,
    );
    fails(cut, CallErrorKind::Protocol, "is not JSON").await;
}

#[tokio::test]
async fn responses_without_a_choice_are_errors() {
    fails(
        Answer::json(200, &json!({"object": "error"})),
        CallErrorKind::Protocol,
        "",
    )
    .await;
}

#[tokio::test]
async fn broken_connections_are_retried() {
    recovers(Answer::raw("")).await;
    recovers(Answer::raw(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{\"cho",
    ))
    .await;
}

#[tokio::test]
async fn refused_connections_are_errors() {
    let llm = ChatModel::openai_compatible("http://127.0.0.1:9/v1", "m")
        .unwrap()
        .retry(crate::quick());
    let error = llm.send(&hello()).await.unwrap_err();
    assert_eq!(
        (call_error(&error).kind(), call_error(&error).attempts()),
        (CallErrorKind::Connection, 3)
    );
    assert!(
        error
            .to_string()
            .starts_with("the server cannot be reached: "),
        "{error}"
    );
}

#[tokio::test]
async fn timeouts_are_retried() {
    let slow = Answer::chat("Hi.").slowly(50 * MS);
    let server = Server::start([slow.clone(), slow, Answer::chat("Hi.")]).await;
    let request = hello().with_options(Options::new().timeout(600 * MS));
    assert_eq!(chat(&server).send(&request).await.unwrap().text, "Hi.");
    assert_eq!(server.asked().len(), 3);

    let server = Server::start([Answer::text("Hi.").slowly(50 * MS)]).await;
    let error = text(&server)
        .retry(RetryPolicy::none())
        .send(&request)
        .await
        .unwrap_err();
    assert_eq!(call_error(&error).kind(), CallErrorKind::Timeout);
    assert!(
        error
            .to_string()
            .starts_with("the model did not answer within 600ms"),
        "{error}"
    );
}

#[tokio::test]
async fn too_large_responses_are_errors() {
    fails(
        Answer::chat(&"a".repeat(300_000)),
        CallErrorKind::TooLarge,
        "longer than 1000 bytes",
    )
    .await;
}

#[tokio::test]
async fn dropping_the_future_cancels_the_request() {
    let hang = Answer::raw("HTTP/1.1 200 OK\r\n").wait(Duration::from_secs(60));
    let server = Server::start([hang.clone(), hang]).await;
    let (chat, text, request) = (chat(&server), text(&server), hello());
    for (before, asked) in [chat.send(&request), text.send(&request)]
        .into_iter()
        .enumerate()
    {
        tokio::select! {
            _ = asked => panic!("there is no answer"),
            () = server.until(|server| server.asked().len() > before) => {}
        }
    }
    server.until(|server| server.open() == 0).await;
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn concurrent_requests_are_independent() {
    const COUNT: usize = 64;
    let mut asked = 0;
    let server = Server::by(move |request| {
        asked += 1;
        let said = request.body["messages"][0]["content"]
            .as_str()
            .unwrap_or_default();
        match asked % 3 {
            0 => Answer::new(503, "retry-after-ms: 5\r\n", "busy"),
            _ => Answer::chat(said).wait(MS),
        }
    })
    .await;
    let retry = crate::quick().max_retries(30);
    let llm = chat(&server).retry(retry);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..COUNT {
        let llm = llm.clone();
        tasks.spawn(async move {
            let question = format!("question {number}");
            let ask = Messages::from([Message::user(&*question)]);
            assert_eq!(llm.call(&ask).await.unwrap(), question);
        });
    }
    tasks.join_all().await;
    let asked = server.asked().len();
    assert_eq!(
        asked - asked / 3,
        COUNT,
        "each was answered once, and only the refused were sent again"
    );
}

/// Connections and timers need a Tokio runtime. Other executors get an error instead of a panic.
#[test]
fn outside_of_a_runtime() {
    let messages = Messages::from([Message::user("Hi")]);
    let check = |llm: &dyn Llm| {
        let request = Request::from_prompt(&messages).unwrap();
        let mut call = llm.send(&request);
        let Poll::Ready(Err(error)) = call.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        else {
            panic!("no error");
        };
        assert_eq!(
            error.message(),
            "the model is called outside of a Tokio runtime"
        );
        let help = error.help().unwrap_or_default();
        assert!(help.contains("Blocking::new(llm)?"), "{error:#}");
    };
    check(&ChatModel::openai_compatible("http://localhost:9/v1", "m").unwrap());
    let slow = RateLimited::new(MockLlm::new(["Hi."]), 1, Duration::from_secs(60)).unwrap();
    let first = std::pin::pin!(slow.call(&messages));
    let first = first.poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(first, Poll::Ready(Ok(_))), "it need not wait");
    check(&slow);
}

/// A request at a wrong address names it, without what is secret in it.
#[tokio::test]
async fn addresses_that_are_wrong_are_named() {
    let missing = || Answer::new(404, "", "no such page");
    let model = |url: &str| {
        let llm = ChatModel::openai_compatible(url, "m").unwrap();
        llm.retries(0)
    };
    let server = Server::start([missing(), missing()]).await;
    let root = server.url.trim_end_matches('/').trim_end_matches("/v1");
    let error = model(&root.replace("http://", "http://me:hush-hush@"))
        .send(&hello())
        .await;
    assert_eq!(
        error.unwrap_err().to_string(),
        format!(
            "the server answers with status 404: no such page (asked: {root}/chat/completions); \
             the path `/v1` is missing: use the base URL `{root}/v1`"
        )
    );
    let error = model(&server.url)
        .send(&hello())
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("; check the name of the model and the base URL"),
        "{error}"
    );
    // Every protocol and kind of request has the path of its provider.
    let server = Server::by(move |_| missing()).await;
    let root = server.url.trim_end_matches("/v1");
    for (name, base, help) in [
        ("openai::m", "", Some("/v1")),
        ("openai_resp::m", "/", Some("/v1")),
        ("anthropic::m", "", Some("/v1")),
        ("gemini::m", "", Some("/v1beta")),
        ("cohere::m", "", Some("/v2")),
        ("ollama::m", "", None),
        ("openai::m", "/v1/chat/completions", Some("/v1")),
        (
            "openai::m",
            "/openai/v1/chat/completions/",
            Some("/openai/v1"),
        ),
        ("anthropic::m", "/v1/messages", Some("/v1")),
        ("gemini::m", "/v1", None),
    ] {
        let base = format!("{root}{base}");
        let llm = ChatModel::new(name).unwrap().base_url(&base).unwrap();
        let llm = llm.key(ApiKey::new("k3y")).retries(0);
        let error = llm.send(&hello()).await.unwrap_err();
        let found = error.help().unwrap();
        match help {
            Some(path) => assert!(
                found.ends_with(&format!("`{root}{path}`")),
                "{name}: {found}"
            ),
            None => assert!(
                found.starts_with("check the name of the model"),
                "{name}: {found}"
            ),
        }
    }
    let embedder = EmbeddingModel::openai_compatible(root, "m").unwrap();
    let error = embedder.embed(&["a".to_owned()]).await.unwrap_err();
    assert!(
        error.help().unwrap().ends_with(&format!("`{root}/v1`")),
        "{error}"
    );
    let embedder = EmbeddingModel::new("ollama::m")
        .unwrap()
        .base_url(root)
        .unwrap();
    let error = embedder.embed(&["a".to_owned()]).await.unwrap_err();
    assert!(
        error.help().unwrap().starts_with("check the name"),
        "{error}"
    );
    let error = model("http://127.0.0.1:9/v1?key=hush-hush")
        .send(&hello())
        .await;
    let error = error.unwrap_err().to_string();
    let expected = "(asked: http://127.0.0.1:9/v1/chat/completions)";
    assert!(
        error.contains(expected) && !error.contains("hush"),
        "{error}"
    );
}
