//! What goes wrong on the way, and what comes of it: for chat models and text models alike.

use std::time::{Duration, Instant};

use prompt_client::{Cause, Chat, Retry};
use prompt_core::{ErrorKind, Llm, Message, Messages, Options, Reply};
use serde_json::json;

use crate::server::{Answer, Server};
use crate::{chat, failure, hello, text};

const MS: Duration = Duration::from_millis(1);

/// Both kinds of models at a server with these answers, and how often each was asked.
async fn both(
    answers: &[Answer],
    good: [Answer; 2],
    check: impl Fn(prompt_core::Result<Reply>, usize),
) {
    let [good_chat, good_text] = good;
    let server = Server::start(answers.iter().cloned().chain([good_chat])).await;
    check(
        chat(&server).with_limit(1000).send(&hello()).await,
        server.asked().len(),
    );
    let server = Server::start(answers.iter().cloned().chain([good_text])).await;
    check(
        text(&server).with_limit(1000).send(&hello()).await,
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

/// It fails with this cause, and is not asked again.
async fn fails(fault: Answer, cause: Cause, message: &str) {
    both(&[fault], good(), |reply, asked| {
        let error = reply.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Model);
        assert_eq!(failure(&error).cause(), cause, "{error:#}");
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(asked, 1);
    })
    .await;
}

#[tokio::test]
async fn a_429_is_asked_again_after_just_the_pause_that_the_server_wants() {
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
async fn a_429_that_wants_too_long_a_pause_is_not_asked_again() {
    let answer = Answer::new(
        429,
        "retry-after: 3600\r\n",
        r#"{"error":{"message":"quota exceeded"}}"#,
    );
    both(&[answer], good(), |reply, asked| {
        let error = reply.unwrap_err();
        let failure = failure(&error);
        assert_eq!(
            (failure.cause(), failure.status()),
            (Cause::RateLimit, Some(429))
        );
        assert_eq!(failure.retry_after(), Some(Duration::from_secs(3600)));
        assert_eq!(
            error.to_string(),
            "the server answers with status 429: quota exceeded"
        );
        assert_eq!(asked, 1);
    })
    .await;
}

#[tokio::test]
async fn a_pause_may_be_a_date() {
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
        assert!(failure(&error).retry_after() > Some(Duration::from_secs(3600)));
        assert_eq!(asked, 1);
    })
    .await;
}

#[tokio::test]
async fn a_server_that_fails_is_asked_again_and_not_for_ever() {
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
            (failure(&error).cause(), failure(&error).attempts()),
            (Cause::Server, 3)
        );
        assert_eq!(
            error.to_string(),
            "the server answers with status 502: oops (asked 3 times)"
        );
        assert_eq!(asked, 3);
    })
    .await;
}

#[tokio::test]
async fn what_is_refused_is_refused_once() {
    fails(
        Answer::json(400, &json!({"error": {"message": "no such field"}})),
        Cause::Refused,
        "no such field",
    )
    .await;
    fails(
        Answer::json(401, &json!({"detail": "who are you?"})),
        Cause::Refused,
        "who are you?",
    )
    .await;
    fails(Answer::new(404, "", ""), Cause::Refused, "status 404").await;
    fails(
        Answer::new(302, "location: http://127.0.0.1:9/\r\n", ""),
        Cause::Refused,
        "status 302",
    )
    .await;
}

#[tokio::test]
async fn an_answer_of_the_wrong_type_or_shape_is_told_with_its_beginning() {
    let page = Answer::new(200, "content-type: text/html\r\n", "<html>Log in</html>");
    fails(
        page,
        Cause::Protocol,
        "text/html instead of application/json: <html>Log in</html>",
    )
    .await;
    fails(
        Answer::new(200, "", "Hi."),
        Cause::Protocol,
        "no content type",
    )
    .await;
    let cut = Answer::new(
        200,
        "content-type: application/json\r\n",
        r#"{"choices": [{"#,
    );
    fails(cut, Cause::Protocol, "is no JSON").await;
}

#[tokio::test]
async fn an_answer_without_a_choice_is_no_empty_answer() {
    fails(
        Answer::json(200, &json!({"object": "error"})),
        Cause::Protocol,
        "",
    )
    .await;
}

#[tokio::test]
async fn a_connection_that_breaks_before_the_answer_is_whole_is_made_again() {
    recovers(Answer::raw("")).await;
    recovers(Answer::raw(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{\"cho",
    ))
    .await;
}

#[tokio::test]
async fn nothing_listens() {
    let llm = Chat::at("http://127.0.0.1:9/v1", "m")
        .unwrap()
        .with_retry(crate::quick());
    let error = llm.send(&hello()).await.unwrap_err();
    assert_eq!(
        (failure(&error).cause(), failure(&error).attempts()),
        (Cause::Connection, 3)
    );
    assert!(
        error
            .to_string()
            .starts_with("the server cannot be reached: "),
        "{error}"
    );
}

#[tokio::test]
async fn slow_bytes_run_out_of_time_and_are_tried_again() {
    let slow = Answer::chat("Hi.").slowly(50 * MS);
    let server = Server::start([slow.clone(), slow, Answer::chat("Hi.")]).await;
    let request = hello().with_options(Options {
        timeout: Some(600 * MS),
        ..Options::default()
    });
    assert_eq!(chat(&server).send(&request).await.unwrap().text, "Hi.");
    assert_eq!(server.asked().len(), 3);

    let server = Server::start([Answer::text("Hi.").slowly(50 * MS)]).await;
    let error = text(&server)
        .with_retry(Retry::none())
        .send(&request)
        .await
        .unwrap_err();
    assert_eq!(failure(&error).cause(), Cause::Timeout);
    assert!(
        error
            .to_string()
            .starts_with("the model did not answer within 600ms"),
        "{error}"
    );
}

#[tokio::test]
async fn a_huge_answer_is_refused() {
    fails(
        Answer::chat(&"a".repeat(300_000)),
        Cause::TooLarge,
        "longer than 1000 bytes",
    )
    .await;
}

#[tokio::test]
async fn a_dropped_future_ends_the_request() {
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
async fn of_many_requests_at_once_none_is_lost_or_mistaken_for_another() {
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
    let retry = Retry {
        times: 30,
        ..crate::quick()
    };
    let llm = chat(&server).with_retry(retry);
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
