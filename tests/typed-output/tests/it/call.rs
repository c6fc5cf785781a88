//! Typed calls to a scripted model.

use std::time::Duration;

use pollster::block_on;
use typed_prompt::llm::{BoxFuture, FinishReason, Options, ToolChoice, Usage};
use typed_prompt::output::RepairKind;
use typed_prompt::{
    Error, ErrorKind, Llm, Message, Messages, MockLlm, Prompt, Reply, Request, Result, Tool,
};

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Answer {
    text: String,
    cited: Vec<usize>,
}

#[derive(Prompt)]
#[prompt(user = "<question>", output = Answer)]
struct Ask<'a> {
    question: &'a str,
}

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Plain<'a> {
    question: &'a str,
}

#[test]
fn an_answer_is_read_into_its_type() {
    let llm = MockLlm::new(["Sure!\n```json\n{\"text\": \"Yes.\", \"cited\": [1, 2]}\n```"]);
    let answer = block_on(llm.call(&Ask { question: "?" })).unwrap();
    assert_eq!(
        answer,
        Answer {
            text: "Yes.".to_owned(),
            cited: vec![1, 2]
        }
    );
    let sent = &llm.requests()[0];
    assert_eq!(sent.messages[0].text(), "?");
    let schema = sent.schema.as_ref().expect("the schema is sent");
    assert!(schema["properties"]["cited"].is_object(), "{schema}");
}

/// The type may be written at the call too.
#[test]
fn a_call_names_the_type_of_its_answer() {
    let llm = MockLlm::new(["{\"text\": \"Yes.\", \"cited\": []}"]);
    let answer = block_on(llm.call::<Answer>(&Ask { question: "?" })).unwrap();
    assert_eq!(answer.text, "Yes.");
}

#[test]
fn without_an_output_the_answer_is_text() {
    let llm = MockLlm::new(["Yes."]);
    let answer: String = block_on(llm.call(&Plain { question: "?" })).unwrap();
    assert_eq!(answer, "Yes.");
    assert!(llm.requests()[0].schema.is_none());
}

#[test]
fn a_wrong_answer_is_an_error_that_contains_it() {
    for (answer, words) in [
        ("I don't know.", "I don't know."),
        (r#"{"text": "x"}"#, "cited"),
        ("", "answer"),
    ] {
        let llm = MockLlm::new([answer]);
        let error = block_on(llm.call(&Ask { question: "?" })).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Output, "{answer:?}: {error}");
        assert!(
            format!("{error:#}").contains(words),
            "{words:?} not in:\n{error:#}"
        );
    }
}

#[test]
fn an_exhausted_mock_is_an_error() {
    let llm = MockLlm::new(Vec::<Reply>::new());
    let error = block_on(llm.call(&Plain { question: "?" })).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MockExhausted);
}

#[test]
fn a_reply_is_read_without_a_model() {
    let answer = Ask::parse_reply(&Reply::new(r#"{"text": "a", "cited": []}"#)).unwrap();
    assert_eq!(
        answer,
        Answer {
            text: "a".to_owned(),
            cited: vec![]
        }
    );
}

#[test]
fn options_are_set_by_name() {
    let llm = MockLlm::new(["Yes."]);
    let plain = Plain { question: "?" };
    let call = llm.call(&plain).temperature(0.5).max_tokens(9).seed(7);
    assert_eq!(block_on(call).unwrap(), "Yes.");
    let options = &llm.requests()[0].options;
    assert_eq!(
        (options.temperature, options.max_tokens),
        (Some(0.5), Some(9))
    );
    assert_eq!(options.seed, Some(7));
}

/// The report of a call contains what each of its requests got.
#[test]
fn a_detailed_call_reports_its_attempts() {
    let refused = Reply::new("I don't know.").with_usage(Usage::new(10, 3));
    let repaired = Reply::new("```json\n{\"text\": \"Yes.\", \"cited\": [1,]}\n```")
        .with_usage(Usage::new(20, 4))
        .with_model("m-1");
    let llm = MockLlm::new([refused, repaired]);
    let ask = Ask { question: "?" };
    let answered = block_on(llm.call(&ask).output_retries(1).detailed()).unwrap();
    assert_eq!(answered.value.text, "Yes.");
    assert_eq!(answered.usage(), Usage::new(30, 7));
    assert_eq!(answered.reply().unwrap().model.as_deref(), Some("m-1"));
    let [first, last] = &*answered.attempts else {
        panic!("{answered:?}")
    };
    assert_eq!(
        first.error.as_ref().map(Error::kind),
        Some(ErrorKind::Output)
    );
    assert_eq!(first.reply.as_ref().unwrap().text, "I don't know.");
    let kinds: Vec<&RepairKind> = last.repairs.iter().map(|repair| &repair.kind).collect();
    assert!(last.error.is_none() && !kinds.is_empty(), "{kinds:?}");
    let sent: Vec<_> = llm
        .requests()
        .iter()
        .map(|request| request.fingerprint().ok())
        .collect();
    assert_eq!([first.request, last.request], [sent[0], sent[1]]);
    assert_ne!(sent[0], sent[1]);
}

#[test]
fn an_error_reports_its_attempts() {
    let wrong = |text: &str| Reply::new(text).with_usage(Usage::new(10, 3));
    let ask = Ask { question: "?" };
    // Answers that do not fit, and a request that fails.
    let llm = MockLlm::new([wrong("a"), wrong("b")]);
    let error = block_on(llm.call(&ask).output_retries(1)).unwrap_err();
    assert_eq!(
        (error.attempts().len(), error.usage()),
        (2, Usage::new(20, 6))
    );
    let sent = std::sync::atomic::AtomicU32::new(0);
    let llm =
        MockLlm::from_fn(
            move |_| match sent.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
                0 => Ok(wrong("a")),
                _ => Err(Error::new(ErrorKind::Model, "the line is dead")),
            },
        );
    let error = block_on(llm.call(&ask).output_retries(3).detailed()).unwrap_err();
    assert_eq!(
        (error.message(), error.prompt()),
        ("the line is dead", Some("Ask"))
    );
    assert_eq!(
        (error.attempts().len(), error.usage()),
        (2, Usage::new(10, 3))
    );
    assert!(error.attempts()[1].reply.is_none());
    // An answer that would only come again is not retried.
    let cut = wrong("{").with_finish(FinishReason::Length);
    let error = block_on(MockLlm::new([cut]).call(&ask).output_retries(3)).unwrap_err();
    assert_eq!(error.attempts().len(), 1);
    assert!(!error.to_string().contains("output_retries"), "{error}");
}

/// The help of an answer that does not fit is sent to the model. The program reads beside it how to ask again, which the model does not read.
#[test]
fn an_error_of_an_answer_names_output_retries() {
    let ask = Ask { question: "?" };
    for (retries, times) in [(0, "once"), (2, "3 times")] {
        let llm = MockLlm::from_fn(|_| Ok("I cannot say.".into()));
        let error = block_on(llm.call(&ask).output_retries(retries)).unwrap_err();
        let note = format!(
            "the model was asked for this answer {times}; `.output_retries(n)` on the call sends it this error and asks again, up to `n` times"
        );
        assert!(error.help().unwrap().starts_with("write one JSON object"));
        assert!(format!("{error:#}").ends_with(&format!("\n  = note: {note}")));
        assert!(error.to_string().ends_with(&format!("; {note}")));
        for request in llm.requests() {
            assert!(!format!("{:?}", request.messages).contains("output_retries"));
        }
    }
}

/// A model of another crate, which checks nothing.
struct Unchecked;

impl Llm for Unchecked {
    fn send<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(async { Ok(Reply::new("Yes.")) })
    }
}

/// Before the request, so that a test with the mock finds what a provider refuses.
#[test]
fn options_that_no_model_can_fulfil_are_errors() {
    let tool = |name: &str| Options::new().tool_choice(ToolChoice::Tool(name.to_owned()));
    let required = Options::new().tool_choice(ToolChoice::Required);
    let bare = Messages::from([Message::user("?")]);
    let offered = bare
        .clone()
        .with_tool(Tool::new("lake_depth"))
        .with_tool(Tool::new("all_lakes"));
    let without = "the option `tool_choice` requires a tool call, and the prompt has no tools; ";
    for (ask, options, message) in [
        (
            &offered,
            tool("LakeDepth"),
            "`tool_choice`: there is no tool `LakeDepth`; did you mean `lake_depth`?",
        ),
        (
            &offered,
            tool("x"),
            "`tool_choice`: there is no tool `x`; use one of `lake_depth`, `all_lakes`",
        ),
        (&bare, tool("lake_depth"), without),
        (&bare, required.clone(), without),
        (
            &bare,
            Options::new().max_tokens(0),
            "the option `max_tokens` is 0, ",
        ),
        (
            &bare,
            Options::new().timeout(Duration::ZERO),
            "the option `timeout` is 0, ",
        ),
        (
            &bare,
            Options::new().temperature(f64::NAN),
            "the option `temperature` is NaN, ",
        ),
        (
            &bare,
            Options::new().top_p(1.5),
            "the option `top_p` is 1.5, ",
        ),
    ] {
        let llm = MockLlm::new(["Yes."]);
        let errors = [
            block_on(llm.call(ask).options(options.clone())).unwrap_err(),
            block_on(Unchecked.call(ask).options(options.clone())).unwrap_err(),
            block_on(llm.send(&Request::from_prompt(ask).unwrap().with_options(options)))
                .unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().starts_with(message), "{error}");
        }
        assert!(llm.requests().is_empty());
    }
    for (ask, options) in [
        (&offered, tool("lake_depth")),
        (&offered, required.clone()),
        (&bare, Options::new().tool_choice(ToolChoice::Auto)),
        (&bare, Options::new().tool_choice(ToolChoice::None)),
        (
            &bare,
            Options::new()
                .max_tokens(1)
                .timeout(Duration::MAX)
                .temperature(0.0)
                .top_p(1.0),
        ),
    ] {
        assert_eq!(
            block_on(MockLlm::new(["Yes."]).call(ask).options(options)).unwrap(),
            "Yes."
        );
    }
    // A model may offer the answer as a tool.
    let llm = MockLlm::new([r#"{"text": "a", "cited": []}"#]);
    assert!(block_on(llm.call(&Ask { question: "?" }).options(required)).is_ok());
}
