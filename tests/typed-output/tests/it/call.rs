//! Typed calls to a scripted model.

use pollster::block_on;
use typed_prompt::{ErrorKind, Llm, MockLlm, Prompt, Reply};

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
