//! Models that wrap others: fallback, rate limits, budgets and caches, for whole replies and streams.

use std::time::Duration;

use prompt_client::{
    Budget, Cached, CallErrorKind, ChatModel, CompletionModel, Fallback, Prices, RateLimited,
    RetryPolicy, StreamingLlm,
};
use prompt_core::format::{self, FormatOptions};
use prompt_core::{
    BoxFuture, Error, FinishReason, Likelihood, Llm, Message, Messages, MockLlm, Options, Reply,
    Request, Result, Tool, ToolChoice, Usage,
};
use tokio::time::Instant;

use crate::server::{Answer, Server};
use crate::{call_error, chat, hello};

#[tokio::test]
async fn another_model_answers_if_the_first_one_fails() {
    let quota = r#"{"error": {"code": "insufficient_quota", "message": "pay"}}"#;
    let failing = [
        Answer::new(500, "", "down"),
        Answer::new(429, "", quota),
        Answer::new(401, "", "who"),
        Answer::raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"),
    ];
    for failure in failing {
        let (first, second) = (
            Server::start([failure.clone(), failure]).await,
            Server::start([Answer::chat("Hi."), Answer::stream().event(r#"{"model": "m-1", "choices": [{"index": 0, "delta": {"content": "Hi."}, "finish_reason": "stop"}]}"#)]).await,
        );
        let unused = Server::start([]).await;
        let first_model = chat(&first).retry(RetryPolicy::none());
        let llm = Fallback::new(first_model, chat(&second)).or(chat(&unused));
        let reply = llm.send(&hello()).await.unwrap();
        assert_eq!((&*reply.text, reply.model.as_deref()), ("Hi.", Some("m-1")));
        let streamed = llm.stream(&hello()).await.unwrap().finish().await.unwrap();
        assert_eq!(streamed.text, "Hi.");
        assert_eq!(
            (
                first.asked().len(),
                second.asked().len(),
                unused.asked().len()
            ),
            (2, 2, 0)
        );
    }
}

#[tokio::test]
async fn wrong_requests_are_not_passed_on_and_all_errors_are_kept() {
    let (first, second) = (
        Server::start([Answer::new(400, "", "first")]).await,
        Server::start([Answer::new(400, "", "second")]).await,
    );
    let llm = Fallback::new(chat(&first), chat(&second));
    let error = llm.send(&hello()).await.unwrap_err();
    assert!(error.to_string().contains("second"), "{error}");
    assert!(error.others()[0].to_string().contains("first"), "{error}");
    // No tools: the other model would reject it as well.
    let options = Options::new().tool_choice(ToolChoice::Required);
    let error = llm.send(&hello().with_options(options)).await.unwrap_err();
    assert_eq!(call_error(&error).kind(), CallErrorKind::Setup);
    assert_eq!(second.asked().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn clones_share_a_rate_limit() {
    let model = || MockLlm::from_fn(|_| Ok(Reply::new("Hi.")));
    for (burst, expected) in [(1, 900), (4, 600), (100, 0)] {
        let llm =
            RateLimited::new(std::sync::Arc::new(model()), 10, Duration::from_secs(1)).unwrap();
        let llm = llm.burst(burst);
        let begin = Instant::now();
        let calls = (0..10).map(|number| {
            let llm = llm.clone();
            tokio::spawn(async move {
                match number % 2 {
                    0 => drop(llm.send(&hello()).await.unwrap()),
                    _ => drop(llm.stream(&hello()).await.unwrap().finish().await.unwrap()),
                }
            })
        });
        for call in calls.collect::<Vec<_>>() {
            call.await.unwrap();
        }
        let milliseconds = begin.elapsed().as_millis();
        assert!(
            (expected..expected + 50).contains(&milliseconds),
            "{burst}: {milliseconds}"
        );
    }
}

/// The choices of an evaluation are requests.
#[tokio::test(start_paused = true)]
async fn scores_of_answers_are_limited() {
    struct Scorer;
    impl Likelihood for Scorer {
        fn score_tokens<'a>(&'a self, _: &'a str, _: &'a str) -> BoxFuture<'a, Result<Vec<f64>>> {
            Box::pin(async { Ok(vec![-1.0]) })
        }
    }
    let llm = RateLimited::new(Scorer, 10, Duration::from_secs(1)).unwrap();
    let begin = Instant::now();
    for _ in 0..5 {
        llm.score_tokens("Q", "A").await.unwrap();
    }
    let milliseconds = begin.elapsed().as_millis();
    assert!((400..450).contains(&milliseconds), "{milliseconds}");
}

#[tokio::test]
async fn a_rate_limit_of_the_server_delays_all() {
    let limited = Answer::new(429, "retry-after-ms: 300\r\n", "slow");
    let server = Server::start([limited, Answer::chat("Hi.")]).await;
    let llm = RateLimited::new(
        chat(&server).retry(RetryPolicy::none()),
        1000,
        Duration::from_secs(1),
    )
    .unwrap();
    llm.send(&hello()).await.unwrap_err();
    let begin = Instant::now();
    llm.clone().send(&hello()).await.unwrap();
    assert!(
        begin.elapsed() >= Duration::from_millis(250),
        "{:?}",
        begin.elapsed()
    );
}

#[tokio::test]
async fn retries_and_fallbacks_wait_for_their_turns() {
    let failing = || [Answer::new(500, "", "down"), Answer::new(500, "", "down")];
    let (first, second) = (
        Server::start(failing()).await,
        Server::start([Answer::new(500, "", "down"), Answer::chat("Hi.")]).await,
    );
    let quick = RetryPolicy::none()
        .max_retries(1)
        .min_delay(Duration::from_millis(1));
    let models = Fallback::new(chat(&first).retry(quick), chat(&second).retry(quick));
    let limited = RateLimited::new(models, 5, Duration::from_secs(1)).unwrap();
    let begin = Instant::now();
    assert_eq!(limited.send(&hello()).await.unwrap().text, "Hi.");
    // Four attempts, the first of them at once.
    let waited = begin.elapsed();
    assert!((600..900).contains(&waited.as_millis()), "{waited:?}");
    assert_eq!((first.asked().len(), second.asked().len()), (2, 2));
}

#[tokio::test]
async fn budgets_count_replies_and_streams() {
    let model = || {
        std::sync::Arc::new(MockLlm::from_fn(|_| {
            Ok(Reply::new("Hi.").with_usage(Usage::new(6, 4)))
        }))
    };
    let llm = Budget::new(model()).max_total_tokens(25);
    llm.send(&hello()).await.unwrap();
    llm.clone()
        .stream(&hello())
        .await
        .unwrap()
        .finish()
        .await
        .unwrap();
    // A stream that is dropped is not counted.
    drop(llm.stream(&hello()).await.unwrap());
    assert_eq!(
        (llm.spent().replies, llm.spent().usage),
        (2, Usage::new(12, 8))
    );
    llm.send(&hello()).await.unwrap();
    for error in [
        llm.send(&hello()).await.map(drop),
        llm.clone().stream(&hello()).await.map(drop),
    ] {
        let error = error.unwrap_err();
        assert_eq!(call_error(&error).kind(), CallErrorKind::Budget);
        assert_eq!(error.model(), None);
        assert_eq!(
            error.message(),
            "the budget is spent: the calls took 30 of 25 tokens"
        );
    }
    let free = Budget::new(model()).max_cost(0.0);
    assert!(free.send(&hello()).await.is_err());
    // Without token counts, a limit cannot be enforced.
    let uncounted = Budget::new(MockLlm::new(["a", "b", "c"]));
    uncounted.send(&hello()).await.unwrap();
    uncounted.send(&hello()).await.unwrap();
    let error = uncounted
        .max_total_tokens(1000)
        .send(&hello())
        .await
        .unwrap_err();
    assert_eq!(
        error.message(),
        "the budget cannot be enforced: a reply has no token counts"
    );
    // Another model may have a budget left.
    let llm = Fallback::new(llm, MockLlm::new(["Other."]));
    assert_eq!(llm.send(&hello()).await.unwrap().text, "Other.");
}

/// A complete reply that is returned as a stream keeps its cost, also as a hit of a cache.
#[tokio::test]
async fn streams_of_complete_replies_have_their_cost() {
    let model = || {
        std::sync::Arc::new(MockLlm::from_fn(|_| {
            let mut reply = Reply::new("Hi.").with_usage(Usage::new(6, 4));
            reply.cost = Some(0.25);
            Ok(reply)
        }))
    };
    let llm = Budget::new(model()).max_cost(0.5);
    for spent in [0.25, 0.5] {
        let stream = llm.stream(&hello()).await.unwrap();
        assert_eq!(stream.finish().await.unwrap().cost, Some(0.25));
        assert_eq!((llm.spent().cost, llm.spent().unpriced), (spent, 0));
    }
    let error = llm.stream(&hello()).await.unwrap_err();
    assert_eq!(
        error.message(),
        "the budget is spent: the calls cost 0.5 of 0.5"
    );
    let cached = Cached::new(model(), Duration::from_secs(60)).unwrap();
    for cost in [0.25, 0.0] {
        let stream = cached.stream(&hello()).await.unwrap();
        assert_eq!(stream.finish().await.unwrap().cost, Some(cost));
    }
}

/// What was paid for is counted: tokens before an error, of retries that the model does not return, of the first model of a fallback, of streams that break.
#[tokio::test]
async fn budgets_count_calls_that_fail() {
    let usage = r#""usage": {"prompt_tokens": 7, "completion_tokens": 2}"#;
    let withheld = |status: u16| {
        let body = format!(r#"{{"error": {{"code": {status}, "message": "withheld"}}, {usage}}}"#);
        Answer::new(200, "content-type: application/json\r\n", body)
    };
    let begun = format!(r#"{{"choices": [{{"index": 0, "delta": {{"content": "H"}}}}], {usage}}}"#);
    // Each server's answers, the tokens of the last of which are those of a reply, and the tokens that are counted.
    let prices = |price| Prices::per_million(price * 1e6, 0.0);
    let (first, second) = (
        Server::start([withheld(503), withheld(400), Answer::stream().event(&begun)]).await,
        Server::start([Answer::chat("Hi.")]).await,
    );
    let retry = RetryPolicy::none()
        .max_retries(1)
        .min_delay(Duration::from_millis(1));
    let first = chat(&first).retry(retry).prices(prices(1.0));
    let llm = Budget::new(Fallback::new(
        first.clone(),
        chat(&second).prices(prices(10.0)),
    ));
    assert_eq!(llm.send(&hello()).await.unwrap().text, "Hi.");
    let spent = llm.spent();
    assert_eq!((spent.replies, spent.unpriced), (1, 0));
    assert_eq!(spent.usage, Usage::new(7 + 7 + 5, 2 + 2 + 7));
    assert_eq!(spent.cost, 7.0 + 7.0 + 50.0);

    let llm = Budget::new(first).max_total_tokens(9);
    let stream = llm.stream(&hello()).await.unwrap();
    stream.finish().await.unwrap_err();
    assert_eq!(llm.spent().usage, Usage::new(7, 2));
    let error = llm.send(&hello()).await.unwrap_err();
    assert_eq!(
        error.message(),
        "the budget is spent: the calls took 9 of 9 tokens"
    );

    let server = Server::start([Answer::chat("Hi.")]).await;
    let unpriced = "the budget cannot be enforced: the model has no prices";
    // It is known before the first request, also where other wrappers are between the two.
    let limited = RateLimited::new(chat(&server), 5, Duration::from_secs(1)).unwrap();
    let llm = Budget::new(Fallback::new(limited, chat(&server))).max_cost(1.0);
    let error = llm.send(&hello()).await.unwrap_err();
    assert_eq!(error.message(), unpriced);
    assert_eq!(llm.stream(&hello()).await.unwrap_err().message(), unpriced);
    assert_eq!(server.asked().len(), 0);
    let llm = Budget::new(chat(&server).prices(prices(1.0))).max_cost(1.0);
    llm.send(&hello()).await.unwrap();
    // A mock does not tell whether its replies have a cost.
    let llm = Budget::new(MockLlm::from_fn(|_| {
        Ok(Reply::new("Hi.").with_usage(Usage::new(6, 4)))
    }));
    let llm = llm.max_cost(1.0);
    llm.send(&hello()).await.unwrap();
    assert_eq!(llm.send(&hello()).await.unwrap_err().message(), unpriced);
}

/// A model that numbers its answers.
fn counting(finish: FinishReason) -> MockLlm {
    let count = std::sync::atomic::AtomicUsize::new(1);
    MockLlm::from_fn(move |_| {
        let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let reply = Reply::new(number.to_string()).with_usage(Usage::new(6, 4));
        Ok(reply.with_finish(finish.clone()))
    })
}

#[tokio::test(start_paused = true)]
async fn answers_are_kept_for_the_same_request_until_they_expire() {
    let llm = Cached::new(counting(FinishReason::Stop), Duration::from_secs(60))
        .unwrap()
        .max_entries(3)
        .unwrap();
    let other = |change: &dyn Fn(&mut Request)| {
        let mut request = hello();
        change(&mut request);
        request
    };
    let hot = other(&|request| request.options.temperature = Some(1.0));
    let tools = other(&|request| {
        request.messages = Messages::from([Message::user("Hello")]).with_tool(Tool::new("look"));
    });
    let field = other(&|request| drop(request.options.fields.insert("top_k".to_owned(), 1.into())));
    let slow = other(&|request| request.options.timeout = Some(Duration::from_secs(1)));
    for (request, expected) in [
        (&hello(), "1"),
        (&hello(), "1"),
        (&slow, "1"),
        (&hot, "2"),
        (&tools, "3"),
        (&hello(), "1"),
        // The oldest answer is removed for the fourth one.
        (&field, "4"),
        (&hot, "2"),
        (&hello(), "5"),
    ] {
        let reply = llm.send(request).await.unwrap();
        assert_eq!(reply.text, expected);
    }
    // Streams share the answers, which take no tokens.
    let reply = llm.stream(&hello()).await.unwrap().finish().await.unwrap();
    assert_eq!((&*reply.text, reply.usage), ("5", Some(Usage::default())));
    tokio::time::advance(Duration::from_secs(61)).await;
    let reply = llm.stream(&hello()).await.unwrap().finish().await.unwrap();
    assert_eq!((&*reply.text, reply.usage), ("6", Some(Usage::new(6, 4))));
    assert_eq!(llm.send(&hello()).await.unwrap().text, "6");
}

#[tokio::test]
async fn incomplete_answers_are_not_kept() {
    for finish in [FinishReason::Length, FinishReason::ContentFilter] {
        let llm = Cached::new(counting(finish), Duration::from_secs(60)).unwrap();
        assert_eq!(llm.send(&hello()).await.unwrap().text, "1");
        assert_eq!(llm.send(&hello()).await.unwrap().text, "2");
        drop(llm.stream(&hello()).await.unwrap());
    }
}

#[test]
fn wrappers_tell_their_model() {
    let chat = || {
        ChatModel::new("openai::gpt-4o")
            .expect("it is known")
            .temperature(0.5)
    };
    let info = chat().model_info().expect("it has a name");
    assert_eq!(
        (&*info.name, info.format, info.options.temperature),
        ("openai::gpt-4o", None, Some(0.5))
    );
    let limited = RateLimited::new(chat(), 5, Duration::from_secs(1)).expect("it is a limit");
    let wrapped = Cached::new(Budget::new(limited), Duration::from_secs(1)).unwrap();
    let wrapped = wrapped.model_info().expect("it has a name");
    assert_eq!(wrapped.name, "openai::gpt-4o");
    let own = || ChatModel::openai_compatible("http://127.0.0.1:9/v1", "mine").expect("a URL");
    let both = Fallback::new(chat(), own()).model_info();
    assert_eq!(
        both.expect("both have a name").name,
        "openai::gpt-4o, or mine"
    );
    assert!(
        Fallback::new(chat(), MockLlm::new(["Hi."]))
            .model_info()
            .is_none()
    );

    let format = |format: FormatOptions| {
        let format = format::CHATML.options(format);
        let llm = CompletionModel::new("http://127.0.0.1:9/v1", "base", format).expect("a URL");
        let scores = Likelihood::model_info(&llm).expect("it has a name");
        assert_eq!((&*scores.name, scores.format), ("base", None));
        Llm::model_info(&llm)
            .expect("it has a name")
            .format
            .expect("it has a format")
    };
    let plain = format(FormatOptions::new());
    assert!(plain.starts_with("chatml "), "{plain}");
    assert_ne!(plain, format(FormatOptions::new().generation_prompt(false)));
}

/// With a 0, a wrapper does nothing, or never sends a request.
#[tokio::test(start_paused = true)]
async fn zeros_are_errors_and_times_without_an_end_are_not() {
    let model = || MockLlm::from_fn(|_| Ok(Reply::new("Hi.").with_usage(Usage::new(1, 1))));
    let minute = Duration::from_secs(60);
    let setup = |error: &Error| call_error(error).kind() == CallErrorKind::Setup;
    let error = Cached::new(model(), Duration::ZERO).err().unwrap();
    assert!(
        setup(&error) && error.to_string().contains("`Duration::MAX`"),
        "{error}"
    );
    let error = Cached::new(model(), minute)
        .unwrap()
        .max_entries(0)
        .err()
        .unwrap();
    assert!(
        setup(&error) && error.to_string().contains("`usize::MAX`"),
        "{error}"
    );
    for (requests, period) in [(0, minute), (1, Duration::ZERO)] {
        assert!(setup(
            &RateLimited::new(model(), requests, period).unwrap_err()
        ));
    }
    let budgets = [
        Budget::new(model()).max_total_tokens(0),
        Budget::new(model()).max_cost(0.0),
    ];
    for budget in budgets {
        assert!(budget.send(&hello()).await.is_err());
    }

    let paid = std::sync::Arc::new(model());
    let kept = Cached::new(paid.clone(), Duration::MAX)
        .unwrap()
        .max_entries(usize::MAX)
        .unwrap();
    for _ in 0..3 {
        kept.send(&hello()).await.unwrap();
        tokio::time::advance(Duration::from_secs(1 << 30)).await;
    }
    assert_eq!(paid.requests().len(), 1);
    let once = RateLimited::new(model(), 1, Duration::MAX)
        .unwrap()
        .burst(u32::MAX);
    for _ in 0..2 {
        once.send(&hello()).await.unwrap();
    }
}

/// A timeout without an end, also of a stream.
#[tokio::test]
async fn a_timeout_may_have_no_end() {
    let event =
        r#"{"choices": [{"index": 0, "delta": {"content": "Hi."}, "finish_reason": "stop"}]}"#;
    let server = Server::start([Answer::chat("Hi."), Answer::stream().event(event)]).await;
    let llm = chat(&server).timeout(Duration::MAX);
    assert_eq!(llm.send(&hello()).await.unwrap().text, "Hi.");
    let stream = llm.stream(&hello()).await.unwrap();
    assert_eq!(stream.text_so_far(), "");
    assert_eq!(stream.finish().await.unwrap().text, "Hi.");
    let error = llm
        .timeout(Duration::ZERO)
        .send(&hello())
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("the option `timeout` is 0"),
        "{error}"
    );
    assert_eq!(server.asked().len(), 2);
}
