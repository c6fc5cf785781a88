//! Rows for training, and batches that go out and come back.

use prompt_core::Options;
use prompt_eval::export::{BatchWriter, alpaca_row, answers, chat_row};
use prompt_eval::{Row, Rows};
use serde_json::json;

use crate::{Sum, path};

#[test]
fn training_rows_have_the_answer_and_batches_do_not() {
    let sum = Sum::new("1+1?", "two");
    assert_eq!(
        chat_row(&sum).expect("it can be written"),
        r#"{"messages":[{"role":"system","content":"Add."},{"role":"user","content":"What is 1+1?"},{"role":"assistant","content":"two"}]}"#
    );
    assert_eq!(
        alpaca_row(&sum).expect("it can be written"),
        r#"{"instruction":"Add.","input":"What is 1+1?","output":"two"}"#
    );
    let path = path("batch.jsonl");
    let mut batch = BatchWriter::create(&path, "m")
        .expect("a new file")
        .options(Options {
            temperature: Some(0.0),
            max_tokens: Some(9),
            ..Options::default()
        });
    batch
        .add(&Row {
            number: 3,
            value: sum,
        })
        .expect("it can be written");
    assert_eq!(batch.finish().expect("there is room"), 1);
    let text = std::fs::read_to_string(&path).expect("it is there");
    let line: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(
        line["body"],
        json!({
            "model": "m",
            "messages": [{"role": "system", "content": "Add."}, {"role": "user", "content": "What is 1+1?"}],
            "temperature": 0.0,
            "max_tokens": 9,
        })
    );
    let again = BatchWriter::create(&path, "m")
        .err()
        .expect("it is there already");
    assert!(again.to_string().contains("it cannot be made: "));
}

#[test]
fn a_prompt_without_an_answer_is_no_training_row() {
    let messages = prompt_core::Messages::from([prompt_core::Message::user("Hi")]);
    let error = chat_row(&messages).unwrap_err();
    assert_eq!(
        error.message(),
        "the prompt does not end with a question and its answer"
    );
    assert!(alpaca_row(&messages).is_err());
}

#[test]
fn answers_are_matched_by_their_ids() {
    let answer = |id: &str, text: &str| json!({"custom_id": id, "response": {"status_code": 200, "body": {"choices": [{"message": {"content": text}}]}}});
    let lines = [
        answer("row-2", "4"),
        answer("row-1", "2"),
        json!({"custom_id": "row-3", "response": null, "error": {"message": "too long"}}),
        json!({"custom_id": "row-4", "response": {"status_code": 500, "body": {}}}),
        answer("row-1", "3"),
        answer("mine", "5"),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let all = answers::<Sum>(text.as_bytes(), "out.jsonl").map(|item| match item {
        Ok(answered) => (
            answered.row,
            answered.answer.unwrap_or_else(|error| error.to_string()),
        ),
        Err(error) => (0, error.to_string()),
    });
    let expected = [
        (2, "4"),
        (1, "2"),
        (3, "the request failed: too long"),
        (4, "the request has no answer (status 500)"),
        (0, "out.jsonl, row 5: `row-1` is answered a second time"),
        (
            0,
            "out.jsonl, row 6, column `custom_id`: the id `mine` is of no row",
        ),
    ];
    let expected = expected.map(|(row, text)| (row, text.to_owned()));
    assert_eq!(all.collect::<Vec<_>>(), expected);
}

#[test]
fn a_million_rows_are_read_one_by_one() {
    // The reader makes rows while it is asked: nothing is held.
    struct Endless(u64);
    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let line = b"{\"question\":\"1+1?\",\"answer\":\"2\"}\n";
            if self.0 == 0 || buffer.len() < line.len() {
                return Ok(0);
            }
            self.0 -= 1;
            buffer[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }
    let rows = Rows::<Sum>::jsonl_from(Endless(100_000), "endless.jsonl").expect("it has rows");
    assert_eq!(rows.filter(Result::is_ok).count(), 100_000);
}
