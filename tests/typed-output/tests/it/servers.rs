//! Tool loops in tasks of a multi-threaded runtime: every form of closure, stored conversations, and calls at the same time.

use std::sync::Arc;
use std::task::Poll;

use pollster::block_on;
use typed_prompt::llm::Usage;
use typed_prompt::tool::{ToolOutput, ToolStep};
use typed_prompt::{
    Error, ErrorKind, History, Llm, Media, Message, MockLlm, Prompt, Reply, Result, Role, ToolCall,
    Tools,
};

#[derive(Tools, Debug)]
enum Action {
    /// How deep a lake is.
    Depth { lake: String },
    /// Stops the pump.
    Stop,
}

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: &'static str,
}

const ASK: Ask = Ask {
    question: "How deep?",
};

/// What a program shares between its handlers.
#[derive(Debug)]
struct Lakes(f64);

impl Lakes {
    async fn run(&self, action: &Action) -> Result<String> {
        Ok(match action {
            Action::Depth { lake } => format!("{lake}: {}", self.0),
            Action::Stop => "stopped".to_owned(),
        })
    }
}

fn call(id: &str, lake: &str) -> ToolCall {
    ToolCall::new(id, "depth", format!(r#"{{"lake": "{lake}"}}"#))
}

fn model() -> MockLlm {
    MockLlm::new([Reply::calls([call("c1", "Ammersee")]), Reply::new("81 m")])
}

/// As `tokio::spawn`, and as handlers of axum.
fn spawn<F: Future<Output = Result<String>> + Send + 'static>(task: F) {
    assert_eq!(block_on(task).unwrap(), "81 m");
}

#[test]
fn closures_borrow() {
    spawn(async {
        let (llm, lakes) = (model(), Lakes(81.0));
        let asked = llm.with_tools(&ASK);
        asked
            .answer(async |action: Action| lakes.run(&action).await)
            .await
    });
    // An `Arc` of the state, as a handler receives it.
    async fn handler(lakes: Arc<Lakes>, llm: Arc<dyn Llm>) -> Result<String> {
        let asked = llm.with_tools(&ASK);
        asked
            .answer(async |action: Action| lakes.run(&action).await)
            .await
    }
    spawn(handler(Arc::new(Lakes(81.0)), Arc::new(model())));
    async fn borrowed(lakes: &Lakes, llm: &dyn Llm) -> Result<String> {
        let asked = (&llm).with_tools(&ASK);
        asked
            .answer(async |action: Action| lakes.run(&action).await)
            .await
    }
    spawn(async { borrowed(&Lakes(81.0), &model()).await });
    async fn generic(lakes: &Lakes, llm: &impl Llm) -> Result<String> {
        let asked = llm.with_tools(&ASK);
        asked
            .answer(async |action: Action| lakes.run(&action).await)
            .await
    }
    spawn(async { generic(&Lakes(81.0), &model()).await });
}

#[test]
fn closures_clone_own_and_collect() {
    let lakes = Arc::new(Lakes(81.0));
    let shared = Arc::clone(&lakes);
    spawn(async move {
        let llm = model();
        let asked = llm.with_tools(&ASK);
        let answer = asked.answer(async |action: Action| {
            let lakes = Arc::clone(&shared);
            lakes.run(&action).await
        });
        answer.await
    });
    let shared = Arc::clone(&lakes);
    spawn(async move {
        let llm = model();
        let answer = llm.with_tools(&ASK).answer(move |action: Action| {
            let lakes = Arc::clone(&shared);
            async move { lakes.run(&action).await }
        });
        answer.await
    });
    spawn(async move {
        let (llm, mut seen) = (model(), Vec::new());
        let answer = llm.with_tools(&ASK).answer(|action: Action| {
            seen.push(format!("{action:?}"));
            async { Ok(81) }
        });
        let answer = answer.await?;
        assert_eq!(seen, [r#"Depth { lake: "Ammersee" }"#]);
        Ok(answer)
    });
    async fn tool(action: Action) -> Result<f64> {
        assert!(matches!(action, Action::Depth { .. }));
        Ok(81.0)
    }
    spawn(async { model().with_tools(&ASK).answer(tool).await });
    spawn(async {
        let failing = async |_: Action| "81 m".parse::<u32>();
        model()
            .with_tools(&ASK)
            .report_errors()
            .try_answer(failing)
            .await
    });
}

#[test]
fn approvals_are_plain_or_async() {
    fn is_read(action: &Action) -> bool {
        matches!(action, Action::Depth { .. })
    }
    async fn is_read_later(action: &Action) -> bool {
        is_read(action)
    }
    let result = async |_: Action| Ok(81);
    spawn(async move {
        model()
            .with_tools(&ASK)
            .approve(is_read)
            .answer(result)
            .await
    });
    spawn(async move {
        model()
            .with_tools(&ASK)
            .approve(is_read_later)
            .answer(result)
            .await
    });
    spawn(async move {
        let llm = model();
        let asked = llm
            .with_tools(&ASK)
            .approve(|action: &Action| is_read(action));
        asked.answer(result).await
    });
    spawn(async move {
        let (llm, lakes) = (model(), Lakes(81.0));
        let approve = async |action: &Action| lakes.run(action).await.is_ok();
        let asked = llm.with_tools(&ASK).approve(approve);
        // The type of the action is inferred.
        asked.answer(async |action| lakes.run(&action).await).await
    });
}

/// A tool that ends after this number of polls.
async fn after(polls: u32) {
    let mut left = polls;
    std::future::poll_fn(|context| {
        context.waker().wake_by_ref();
        left = left.saturating_sub(1);
        if left == 0 {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

#[test]
fn calls_run_at_the_same_time_with_results_in_order() {
    for (concurrency, order) in [
        (1, ["a", "b", "c"]),
        (2, ["b", "a", "c"]),
        (9, ["c", "b", "a"]),
    ] {
        let calls = [call("1", "a"), call("2", "b"), call("3", "c")];
        let llm = MockLlm::new([Reply::calls(calls), Reply::new("Done.")]);
        let ended = std::sync::Mutex::new(Vec::new());
        let asked = llm.with_tools(&ASK).concurrency(concurrency);
        let answer = asked.answer(async |action: Action| {
            let Action::Depth { lake } = action else {
                return Ok(String::new());
            };
            after(match &*lake {
                "a" => 20,
                "b" => 16,
                _ => 8,
            })
            .await;
            ended.lock().unwrap().push(lake.clone());
            Ok(lake)
        });
        assert_eq!(block_on(answer).unwrap(), "Done.");
        assert_eq!(ended.into_inner().unwrap(), order, "{concurrency}");
        let messages = &llm.requests()[1].messages;
        let results: Vec<_> = messages
            .iter()
            .skip(2)
            .map(|message| message.text())
            .collect();
        assert_eq!(results, ["a", "b", "c"]);
    }
}

#[test]
fn the_end_contains_the_conversation_and_the_tokens() {
    let first = Reply::calls([call("1", "a"), call("2", "b")]).with_usage(Usage::new(10, 2));
    let llm = MockLlm::new([first, Reply::new("Done.").with_usage(Usage::new(20, 3))]);
    let finished = block_on(llm.with_tools(&ASK).run(async |_: Action| Ok(81))).unwrap();
    assert_eq!(
        (&*finished.value, finished.rounds, finished.calls),
        ("Done.", 1, 2)
    );
    assert_eq!(finished.usage(), Usage::new(30, 5));
    let roles: Vec<Role> = finished
        .messages
        .iter()
        .map(|message| message.role)
        .collect();
    let expected = [
        Role::User,
        Role::Assistant,
        Role::Tool,
        Role::Tool,
        Role::Assistant,
    ];
    assert_eq!(roles, expected);
}

/// Stopped at any point, a conversation is valid, and continues to the same end.
#[test]
fn stopped_conversations_resume() {
    let replies = || {
        [
            Reply::calls([call("1", "a"), call("2", "b")]),
            Reply::calls([call("3", "c")]),
            Reply::new("Done."),
        ]
    };
    for stop in 0..6 {
        let llm = MockLlm::new(replies());
        let mut steps = llm.with_tools(&ASK).steps::<Action>().unwrap();
        // The conversation as the program stores it: with calls that have not run.
        let mut stored = steps.request().messages.clone();
        let mut open = 0;
        for _ in 0..stop {
            if open > 0 {
                steps.result(Ok(81.into()));
                open -= 1;
            } else {
                let reply = block_on(llm.send(steps.request())).unwrap();
                match steps.reply(&reply).unwrap() {
                    ToolStep::Calls(calls) => open = calls.len(),
                    step => panic!("{step:?}"),
                }
            }
            stored = steps.request().messages.clone();
        }
        let valid = steps.messages();
        for (index, message) in valid.iter().enumerate() {
            let results = valid.iter().skip(index + 1);
            let results = results.take_while(|message| message.role == Role::Tool);
            let ids: Vec<_> = results.map(|result| result.tool_call_id.clone()).collect();
            let calls: Vec<_> = message
                .tool_calls
                .iter()
                .map(|call| call.id.clone())
                .collect();
            assert!(calls.is_empty() || calls == ids, "{stop}: {valid:?}");
        }
        let json = serde_json::to_string(&stored).unwrap();
        let resumed = llm.with_tools(&ASK).resume(History::parse(&json).unwrap());
        let finished = block_on(resumed.run(async |_: Action| Ok(81))).unwrap();
        assert_eq!(
            (&*finished.value, finished.messages.len()),
            ("Done.", 7),
            "{stop}"
        );
        assert_eq!(llm.requests().len(), 3, "{stop}");
    }
}

#[test]
fn results_are_text_json_and_media() {
    let chart = Media::image("image/png", [1, 2, 3]);
    let result = ToolOutput::from(serde_json::json!({"depth": 81})).with_media(chart.clone());
    let llm = model();
    let answer = llm
        .with_tools(&ASK)
        .answer(async |_: Action| Ok(result.clone()));
    assert_eq!(block_on(answer).unwrap(), "81 m");
    let expected = Message::tool("c1", r#"{"depth":81}"#)
        .with_media(chart)
        .with_name("depth");
    assert_eq!(llm.requests()[1].messages[2], expected);
}

#[test]
fn a_tool_that_fails_ends_the_loop_at_once() {
    let calls = [call("1", "a"), call("2", "b")];
    let llm = MockLlm::new([Reply::calls(calls)]);
    let asked = llm.with_tools(&ASK).concurrency(2);
    let failed = Error::new(ErrorKind::Value, "no such lake");
    let answer = asked.answer(async |action: Action| match action {
        Action::Depth { lake } if lake == "a" => std::future::pending::<Result<u8>>().await,
        _ => Err(failed.clone()),
    });
    assert_eq!(block_on(answer).unwrap_err().message(), "no such lake");
    assert_eq!(llm.requests().len(), 1);
}
