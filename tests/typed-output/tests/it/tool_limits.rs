//! The limits of tool loops: rounds, calls, tokens and time, of the loop and of a tool.

use std::future::pending;
use std::time::Duration;

use pollster::block_on;
use typed_prompt::llm::{ToolChoice, Usage};
use typed_prompt::tool::{ToolLimit, ToolLoop};
use typed_prompt::{Error, Llm, Messages, MockLlm, Prompt, Reply, Result, Role, ToolCall, Tools};

#[derive(Tools, Debug)]
enum Action {
    /// Looks a word up.
    Search { word: String },
    /// Waits without end.
    Wait,
}

#[derive(Prompt)]
#[prompt(user = "Search.")]
struct Ask;

const SHORT: Duration = Duration::from_millis(20);

fn search(id: usize) -> ToolCall {
    ToolCall::new(format!("s{id}"), "search", r#"{"word": "lake"}"#)
}

/// A model that calls these tools in each of its answers, and counts 100 tokens.
fn model(calls: &'static [&'static str]) -> MockLlm {
    MockLlm::from_fn(move |request| {
        let before = request.messages.len();
        let calls = calls.iter().enumerate().map(|(index, &tool)| match tool {
            "search" => search(before + index),
            tool => ToolCall::new(format!("w{}", before + index), tool, "{}"),
        });
        Ok(Reply::calls(calls).with_usage(Usage::new(60, 40)))
    })
}

async fn run(action: Action) -> Result<String> {
    match action {
        Action::Search { word } => Ok(word),
        Action::Wait => pending().await,
    }
}

type Limit = for<'a> fn(ToolLoop<'a, Ask>) -> ToolLoop<'a, Ask>;

/// The limit, the calls of each answer, the error with its help, and the number of messages that the conversation then has.
const LIMITS: &[(Limit, &[&str], &str, usize)] = &[
    (
        |asked| asked.max_rounds(2),
        &["search"],
        "the model still calls tools after 2 rounds; raise `max_rounds`, or say in the prompt when to stop",
        7,
    ),
    (
        |asked| asked.max_calls(3),
        &["search", "search"],
        "the model made 4 tool calls of 3, and it calls `search`; raise `max_calls`, or say in the prompt when to stop",
        7,
    ),
    (
        |asked| asked.max_total_tokens(250),
        &["search"],
        "the tool loop took 300 of 250 tokens, and it calls `search`; raise `max_total_tokens`, or say in the prompt when to stop",
        7,
    ),
    (
        |asked| asked.total_timeout(SHORT),
        &["search", "wait"],
        "the tool loop did not end within 20ms: the tool `wait` was running; raise `total_timeout`",
        4,
    ),
    // The second call did not begin.
    (
        |asked| asked.total_timeout(SHORT),
        &["wait", "search"],
        "the tool loop did not end within 20ms: the tool `wait` was running; raise `total_timeout`",
        4,
    ),
    (
        |asked| asked.tool_timeout(SHORT),
        &["search", "wait", "search"],
        "the tool `wait` did not return within 20ms, the longest time of each call; raise `tool_timeout`",
        5,
    ),
    (
        |asked| {
            asked
                .tool_timeout(Duration::from_secs(600))
                .tool_limit("wait", ToolLimit::new().timeout(SHORT))
        },
        &["wait"],
        "the tool `wait` did not return within 20ms, the longest time of the tool; raise `ToolLimit::timeout`",
        3,
    ),
    (
        |asked| asked.tool_limit("saerch", ToolLimit::new().max_calls(1)),
        &[],
        "`tool_limit`: there is no tool `saerch`; did you mean `search`?",
        0,
    ),
    (
        |asked| asked.tool_choice(ToolChoice::Tool("Search".to_owned())),
        &[],
        "`tool_choice`: there is no tool `Search`; did you mean `search`?",
        0,
    ),
];

#[test]
fn each_limit_ends_the_loop_with_its_name() {
    for (limit, calls, message, messages) in LIMITS {
        let llm = model(calls);
        let error = block_on(limit(llm.with_tools(Ask)).answer(run)).unwrap_err();
        assert_eq!(error.to_string(), *message);
        let found = error.messages();
        assert_eq!(found.map_or(0, Messages::len), *messages, "{message}");
        let calls = found
            .into_iter()
            .flatten()
            .flat_map(|message| &message.tool_calls);
        let results = found
            .into_iter()
            .flatten()
            .filter(|message| message.role == Role::Tool);
        let calls: Vec<_> = calls.map(|call| call.id.as_deref()).collect();
        let results: Vec<_> = results
            .map(|result| result.tool_call_id.as_deref())
            .collect();
        assert_eq!(calls, results, "{message}");
        assert_eq!(error.attempts().len(), llm.requests().len(), "{message}");
    }
}

#[test]
fn a_call_that_is_not_approved_in_time_reaches_the_timeout_of_the_loop() {
    let llm = model(&["search"]);
    let asked = llm
        .with_tools(Ask)
        .total_timeout(SHORT)
        .approve(async |_: &Action| pending::<bool>().await);
    let error = block_on(asked.answer(run)).unwrap_err();
    let message =
        "the tool loop did not end within 20ms: the call of `search` was waiting for its approval";
    assert_eq!(error.message(), message);
}

#[test]
fn a_model_that_is_slow_reaches_the_timeout_of_the_loop() {
    struct Slow;
    impl Llm for Slow {
        fn send<'a>(
            &'a self,
            _: &'a typed_prompt::Request,
        ) -> typed_prompt::llm::BoxFuture<'a, Result<Reply>> {
            Box::pin(pending())
        }
    }
    let asked = Slow.with_tools(Ask).total_timeout(SHORT).answer(run);
    let error = block_on(asked).unwrap_err();
    let message = "the tool loop did not end within 20ms: the model was answering";
    assert_eq!(error.message(), message);
    assert_eq!(error.messages().unwrap().len(), 1);
}

#[test]
fn the_model_receives_that_a_tool_may_not_be_called_again() {
    let replies = [
        Reply::calls([search(1), search(2)]),
        Reply::calls([ToolCall::new("w", "wait", "{}"), search(3)]),
        Reply::new("Found."),
    ];
    let llm = MockLlm::new(replies);
    let limit = ToolLimit::new().max_calls(1);
    let asked = llm
        .with_tools(Ask)
        .tool_limit("search", limit)
        .tool_timeout(SHORT);
    let finished = block_on(asked.report_errors().run(run)).unwrap();
    let results = finished
        .messages
        .iter()
        .filter(|message| message.role == Role::Tool);
    let results: Vec<_> = results.map(|result| result.text().into_owned()).collect();
    let expected = [
        "lake",
        "error: the tool `search` may be called 1 time, and this is call 2",
        "error: the tool `wait` did not return within 20ms, the longest time of each call; raise `tool_timeout`",
        "error: the tool `search` may be called 1 time, and this is call 3",
    ];
    assert_eq!(results, expected);
    assert_eq!((&*finished.value, finished.calls), ("Found.", 4));
}

#[test]
fn an_answer_beyond_the_tokens_is_returned_and_uncounted_tokens_are_an_error() {
    let answer = Reply::new("Found.").with_usage(Usage::new(900, 100));
    let llm = MockLlm::new([answer]);
    let asked = llm.with_tools(Ask).max_total_tokens(10);
    assert_eq!(block_on(asked.answer(run)).unwrap(), "Found.");
    let llm = MockLlm::new([Reply::calls([search(1)])]);
    let asked = llm.with_tools(Ask).max_total_tokens(10);
    let error: Error = block_on(asked.answer(run)).unwrap_err();
    let message = "`max_total_tokens` cannot be enforced: a reply has no token counts";
    assert_eq!(error.message(), message);
}
