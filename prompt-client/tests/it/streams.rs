//! Streams and their errors, for chat models and completion models alike.

use std::time::Duration;

use prompt_client::{CallErrorKind, StreamingLlm};
use prompt_core::{Options, Request};
use serde_json::json;

use crate::prompt::{City, ask};
use crate::server::{Answer, Server};
use crate::{call_error, chat, hello, text};

const MS: Duration = Duration::from_millis(1);

fn chat_piece(text: &str) -> String {
    json!({"model": "m-1", "choices": [{"index": 0, "delta": {"content": text}}]}).to_string()
}

fn text_piece(text: &str) -> String {
    json!({"model": "m-1", "choices": [{"index": 0, "text": text}]}).to_string()
}

/// The received text and the error after it, from both kinds of models. `build` makes a stream of pieces.
async fn streamed(
    build: impl Fn(fn(&str) -> String) -> Vec<Answer>,
    check: impl Fn(&str, Option<prompt_core::Error>, usize),
) {
    streamed_within(Duration::from_secs(30), build, check).await;
}

/// The same where a silence may be no longer than this.
async fn streamed_within(
    silence: Duration,
    build: impl Fn(fn(&str) -> String) -> Vec<Answer>,
    check: impl Fn(&str, Option<prompt_core::Error>, usize),
) {
    let request = hello().with_options(Options::new().timeout(silence));
    let run = async |llm: &dyn StreamingLlm, request: &Request| {
        let mut stream = match llm.stream(request).await {
            Ok(stream) => stream,
            Err(error) => return (String::new(), Some(error)),
        };
        let mut error = None;
        while let Some(chunk) = stream.next().await {
            match chunk {
                Ok(_) => assert!(error.is_none(), "nothing comes after an error"),
                Err(found) => error = Some(found),
            }
        }
        assert_eq!(stream.reply().is_some(), error.is_none());
        let text = stream.text_so_far().to_owned();
        // What arrived before an error is not returned as a reply.
        assert_eq!(stream.finish().await.is_err(), error.is_some());
        (text, error)
    };
    let server = Server::start(build(chat_piece)).await;
    let (text_so_far, error) = run(&chat(&server).max_response_bytes(1000), &request).await;
    check(&text_so_far, error, server.asked().len());
    let server = Server::start(build(text_piece)).await;
    let (text_so_far, error) = run(&text(&server).max_response_bytes(1000), &request).await;
    check(&text_so_far, error, server.asked().len());
}

#[tokio::test]
async fn streams_do_not_depend_on_the_division_of_bytes() {
    streamed(
        |piece| {
            vec![
                Answer::stream()
                    .event(&piece("Grüß"))
                    .bytes(": ping\n\n")
                    .event(&piece(" Gott"))
                    .event("[DONE]")
                    .slowly(MS / 4),
            ]
        },
        |text, error, asked| {
            assert!(error.is_none(), "{error:?}");
            assert_eq!((text, asked), ("Grüß Gott", 1));
        },
    )
    .await;
}

#[tokio::test]
async fn cut_streams_are_errors_with_the_partial_text_and_are_not_retried() {
    type Head = fn() -> Answer;
    type Piece = fn(Answer, &str) -> Answer;
    for (head, add) in [
        (Answer::stream as Head, Answer::event as Piece),
        (Answer::chunked, Answer::chunk),
    ] {
        streamed(
            |piece| {
                let cut = add(add(head(), &piece("Once ")), &piece("upon"));
                vec![cut, Answer::stream().event(&piece("No")).event("[DONE]")]
            },
            |text, error, asked| {
                let error = error.expect("a cut stream is no whole answer");
                assert_eq!((text, error.answer()), ("Once upon", Some("Once upon")));
                assert_eq!(
                    call_error(&error).kind(),
                    CallErrorKind::Interrupted,
                    "{error:#}"
                );
                assert_eq!(asked, 1);
            },
        )
        .await;
    }
}

#[tokio::test]
async fn streams_that_break_before_the_first_event_are_retried() {
    streamed(
        |piece| {
            vec![
                Answer::chunked(),
                Answer::new(500, "", "oops"),
                Answer::stream().event(&piece("Hi.")).event("[DONE]"),
            ]
        },
        |text, error, asked| {
            assert!(error.is_none(), "{error:?}");
            assert_eq!((text, asked), ("Hi.", 3));
        },
    )
    .await;
}

#[tokio::test]
async fn responses_of_another_content_type_are_errors() {
    for answer in [
        Answer::stream().event("{\"choices\": ["),
        Answer::stream().event("not json"),
        Answer::stream().bytes("<html>\n\n</html>"),
        Answer::new(200, "content-type: text/html\r\n", "<html>Log in</html>"),
    ] {
        streamed(
            |_| vec![answer.clone()],
            |text, error, asked| {
                let error = error.expect("there is no answer");
                assert_eq!(
                    call_error(&error).kind(),
                    CallErrorKind::Protocol,
                    "{error:#}"
                );
                assert_eq!((text, asked), ("", 1));
            },
        )
        .await;
    }
}

#[tokio::test]
async fn errors_inside_a_stream_end_it() {
    streamed(
        |piece| {
            vec![
                Answer::stream()
                    .event(&piece("Once"))
                    .event(r#"{"error":{"message":"out of memory","code":500}}"#),
            ]
        },
        |text, error, asked| {
            let error = error.expect("there is no whole answer");
            assert_eq!(call_error(&error).kind(), CallErrorKind::Interrupted);
            assert!(error.to_string().contains("out of memory"), "{error}");
            assert_eq!((text, asked), ("Once", 1));
        },
    )
    .await;
}

#[tokio::test]
async fn streams_without_data_time_out() {
    let hour = Duration::from_secs(3600);
    streamed_within(
        500 * MS,
        |piece| vec![Answer::stream().event(&piece("Once")).wait(hour)],
        |text, error, asked| {
            let error = error.expect("there is no whole answer");
            assert_eq!(
                (text, call_error(&error).kind(), asked),
                ("Once", CallErrorKind::Timeout, 1),
                "{error:#}"
            );
        },
    )
    .await;
    streamed_within(
        500 * MS,
        |_| {
            vec![
                Answer::raw("").wait(hour),
                Answer::raw("").wait(hour),
                Answer::stream().wait(hour),
            ]
        },
        |text, error, asked| {
            let error = error.expect("nothing came");
            assert_eq!(
                (text, call_error(&error).kind(), asked),
                ("", CallErrorKind::Timeout, 3),
                "{error:#}"
            );
        },
    )
    .await;
}

#[tokio::test]
async fn too_long_streams_are_errors() {
    streamed(
        |piece| vec![(0..300).fold(Answer::stream(), |answer, _| answer.event(&piece("more ")))],
        |text, error, asked| {
            let error = error.expect("it is too long");
            assert_eq!(
                (call_error(&error).kind(), asked),
                (CallErrorKind::TooLarge, 1)
            );
            assert!(text.len() < 1010);
        },
    )
    .await;
}

#[tokio::test]
async fn dropping_the_stream_cancels_the_request() {
    let hang = |piece: String| Answer::stream().event(&piece).wait(Duration::from_secs(60));
    let server = Server::start([hang(chat_piece("a")), hang(text_piece("a"))]).await;
    let request = hello();
    let (a, b) = (chat(&server), text(&server));
    let streams = (
        a.stream(&request).await.unwrap(),
        b.stream(&request).await.unwrap(),
    );
    assert_eq!(server.open(), 2);
    drop(streams);
    server.until(|server| server.open() == 0).await;
}

#[tokio::test]
async fn partial_outputs_grow() {
    let pieces = [
        "Here: {\"na",
        "me\": \"Br",
        "est\", \"peo",
        "ple\": 13",
        "9000}",
        ".",
    ];
    let build = |piece: fn(&str) -> String| {
        pieces
            .iter()
            .fold(Answer::stream(), |answer, text| answer.event(&piece(text)))
            .event("[DONE]")
    };
    let server = Server::start([build(chat_piece), build(chat_piece)]).await;
    let llm = chat(&server);
    let mut partials = llm
        .stream_partials(&ask::<City>("Which?"), Options::new())
        .await
        .unwrap();
    let mut seen = Vec::new();
    while let Some(partial) = partials.next().await {
        let partial = partial.unwrap();
        seen.push((partial.value.to_string(), partial.is_final("/name")));
    }
    let expected = [
        ("{}", false),
        (r#"{"name":"Br"}"#, false),
        (r#"{"name":"Brest"}"#, true),
        (r#"{"name":"Brest","people":139000}"#, true),
    ];
    assert_eq!(
        seen,
        expected.map(|(value, whole)| (value.to_owned(), whole))
    );
    assert_eq!(partials.finish().await.unwrap().people, Some(139_000));
    assert_eq!(
        llm.stream_partials(&ask::<City>("Which?"), Options::new())
            .await
            .unwrap()
            .finish()
            .await
            .unwrap()
            .name,
        "Brest"
    );
}

#[derive(serde::Deserialize, schemars::JsonSchema, Debug, PartialEq)]
struct Dish {
    title: String,
    #[schemars(range(min = 1))]
    price: u32,
}

/// The items of streamed lists: each is returned when it is complete, and the first one that does not fit ends the stream.
#[tokio::test]
async fn items_are_returned_when_they_are_complete() {
    let cases: [(&[&str], &[&str], Option<&str>); 6] = [
        (
            &[
                r#"[{"title": "Soup", "pri"#,
                r#"ce": 4}, {"title": "Sal"#,
                r#"ad", "price": 5}]"#,
            ],
            &["0: Soup", "1: Salad"],
            None,
        ),
        (&["[", "]"], &[], None),
        // The notation is repaired as in a complete answer.
        (
            &["Here:\n```json\n[{title: 'Soup', price: 4},", "]\n```"],
            &["0: Soup"],
            None,
        ),
        // A bound is checked before the next item has arrived.
        (
            &[
                r#"[{"title": "Soup", "price": 4}, {"title": "Air", "price": 0}, "#,
                r#"{"title": "Salad""#,
            ],
            &["0: Soup"],
            Some("/1/price"),
        ),
        (
            &[
                r#"[{"title": "Soup", "price": 4}, {"title": "Salad"}, "#,
                r#"{"title": "Tart", "price": 4}]"#,
            ],
            &["0: Soup"],
            Some("/1"),
        ),
        (
            &[
                r#"[{"title": "Soup", "price": 4}, "Salad", "#,
                r#"{"title": "Tart", "price": 4}]"#,
            ],
            &["0: Soup"],
            Some("/1"),
        ),
    ];
    for (pieces, expected, failure) in cases {
        let answer = pieces.iter().fold(Answer::stream(), |answer, piece| {
            answer.event(&chat_piece(piece))
        });
        let server = Server::start([answer.event("[DONE]").slowly(MS)]).await;
        let llm = chat(&server);
        let prompt = ask::<Vec<Dish>>("Which?");
        let mut items = llm.stream_items(&prompt, Options::new()).await.unwrap();
        let (mut seen, mut error) = (Vec::new(), None);
        while let Some(item) = items.next().await {
            assert!(error.is_none(), "nothing comes after an error");
            match item {
                Ok(dish) => seen.push(format!("{}: {}", seen.len(), dish.title)),
                Err(found) => error = Some(found.to_string()),
            }
        }
        assert_eq!(seen, expected, "{pieces:?}");
        match (&error, failure) {
            (Some(error), Some(path)) => assert!(error.contains(path), "{error}"),
            _ => assert_eq!(error.is_some(), failure.is_some(), "{pieces:?}: {error:?}"),
        }
    }
}

#[tokio::test]
async fn an_item_is_there_before_the_rest_of_the_list() {
    let answer = Answer::stream().event(&chat_piece(r#"[{"title": "Soup", "price": 4}, {"#));
    let server = Server::start([answer.wait(MS * 60_000)]).await;
    let llm = chat(&server);
    let prompt = ask::<Vec<Dish>>("Which?");
    let mut items = llm.stream_items(&prompt, Options::new()).await.unwrap();
    assert_eq!(items.next().await.unwrap().unwrap().title, "Soup");
}
