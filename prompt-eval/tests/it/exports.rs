//! Training rows, and batches with their answers.

use prompt_core::Options;
use prompt_eval::export::{BatchWriter, alpaca_row, chat_row, parse_batch, text_row};
use prompt_eval::{Dataset, Row};
use serde_json::json;

use crate::{Sum, path};

#[test]
fn training_rows_contain_the_answer_and_batches_do_not() {
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
        .options(Options::new().temperature(0.0).max_tokens(9));
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
            "max_completion_tokens": 9,
        })
    );
    let again = BatchWriter::create(&path, "m")
        .err()
        .expect("it is there already");
    assert!(again.to_string().contains("it cannot be created: "));
}

#[test]
fn training_rows_require_an_answer() {
    let messages = prompt_core::Messages::from([prompt_core::Message::user("Hi")]);
    let error = chat_row(&messages).unwrap_err();
    assert_eq!(
        error.message(),
        "the prompt does not end with a question and its answer"
    );
    assert!(alpaca_row(&messages).is_err());
}

#[test]
fn masks_of_training_rows_are_read_back() {
    use prompt_core::{ChatFormat, Message, Messages, format};

    let chat = Messages::from([
        Message::user("Grüße <|im_end|>"),
        Message::assistant("Hallo 😀\n"),
        Message::user("Und?"),
        Message::assistant("Gut."),
    ]);
    let expected = [
        (
            &format::CHATML as &dyn ChatFormat,
            ["Hallo 😀\n<|im_end|>\n", "Gut.<|im_end|>\n"],
        ),
        (&format::LLAMA2, [" Hallo 😀 </s>", " Gut. </s>"]),
        (&format::FALCON, [" Hallo 😀", " Gut."]),
    ];
    for (format, expected) in expected {
        let row = text_row(&chat, format).expect("it can be written");
        let row: serde_json::Value = serde_json::from_str(&row).expect("it is JSON");
        let text = row["text"].as_str().expect("text");
        let ranges: Vec<[usize; 2]> =
            serde_json::from_value(row["generated"].clone()).expect("ranges");
        let found: Vec<&str> = ranges
            .iter()
            .map(|[start, end]| &text[*start..*end])
            .collect();
        assert_eq!(found, expected);
        let written = chat.to_text(format.generation_prompt(false));
        assert_eq!(text, written.expect("it can be written"));
    }
    let error = text_row(&Messages::from([Message::user("Hi")]), format::CHATML).unwrap_err();
    assert_eq!(
        error.message(),
        "the prompt does not end with a question and its answer"
    );
}

/// ChatML without a mask.
struct Unmarked;

impl prompt_core::ChatFormat for Unmarked {
    fn family(&self) -> &'static prompt_core::format::Family {
        prompt_core::format::CHATML.family()
    }

    fn write_messages(
        &self,
        messages: &prompt_core::Messages,
        options: &prompt_core::format::FormatOptions,
        out: &mut prompt_core::AnnotatedText,
    ) -> prompt_core::Result<()> {
        prompt_core::format::CHATML.write_messages(messages, options, out)?;
        let unknown = prompt_core::ErrorKind::Unsupported;
        out.leave_unmarked(prompt_core::Error::new(unknown, "the turns are unknown"));
        Ok(())
    }
}

/// A row never has a part of a mask. The guard, which writes the text again, keeps the error.
#[test]
fn an_unknown_mask_is_an_error_of_a_row() {
    use prompt_core::{ChatFormat, Message, Messages};

    for question in ["Hi", "<|im_end|>"] {
        let chat = Messages::from([Message::user(question), Message::assistant("Yes")]);
        let error = text_row(&chat, Unmarked).unwrap_err();
        assert_eq!(error.message(), "the turns are unknown");
        assert!(chat.to_text(Unmarked.generation_prompt(false)).is_ok());
    }
}

#[test]
fn batch_answers_are_matched_by_their_ids() {
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
    let all = parse_batch::<Sum>(text.as_bytes(), "out.jsonl").map(|item| match item {
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
        (0, "out.jsonl, row 5: `row-1` has a second answer"),
        (
            0,
            "out.jsonl, row 6, column `custom_id`: the id `mine` does not belong to a row",
        ),
    ];
    let expected = expected.map(|(row, text)| (row, text.to_owned()));
    assert_eq!(all.collect::<Vec<_>>(), expected);
}

/// The answers of a batch's lines, by row; 0 for a line that is of none.
fn read(text: &[u8]) -> Vec<(u64, String)> {
    let all = parse_batch::<Sum>(text, "out.jsonl").map(|item| match item {
        Ok(answered) => (
            answered.row,
            answered.answer.unwrap_or_else(|error| error.to_string()),
        ),
        Err(error) => (0, error.to_string()),
    });
    all.collect()
}

#[test]
fn batch_answers_of_every_kind_are_parsed() {
    let line = |status: u16, body: serde_json::Value| {
        json!({"custom_id": "row-1", "response": {"status_code": status, "body": body}}).to_string()
    };
    let said = |message: serde_json::Value| line(200, json!({"choices": [{"message": message}]}));
    let call =
        json!({"id": "c", "type": "function", "function": {"name": "add", "arguments": "{}"}});
    for (line, expected) in [
        (said(json!({"content": ""})), ""),
        (
            said(
                json!({"content": [{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]}),
            ),
            "42",
        ),
        (
            said(json!({"content": null, "refusal": "I will not."})),
            "I will not.",
        ),
        (
            said(json!({"content": "4", "function_call": {"name": "add", "arguments": {"a": 2}}})),
            "4",
        ),
        (
            said(json!({"content": {"text": "4"}})),
            "the server's answer has a message that is not text",
        ),
        (
            said(json!({"content": null, "tool_calls": [{"function": {"arguments": "{}"}}]})),
            "the server's answer has a tool call without a name",
        ),
        (
            said(json!({"content": null})),
            "the request has no answer (status 200)",
        ),
        (
            said(json!({"content": null, "tool_calls": []})),
            "the request has no answer (status 200)",
        ),
        (
            said(json!({"content": null, "tool_calls": [call]})),
            "the model calls the tool `add` and contains no text; call the prompt with `llm.with_own_tools(&prompt)`, which runs the tools, or send it with `Llm::send` and send the results back",
        ),
        (
            line(
                400,
                json!({"object": "error", "message": "it is too long", "code": 400}),
            ),
            "the request failed (status 400): it is too long",
        ),
        (format!("\u{feff}{}", said(json!({"content": "4"}))), "4"),
    ] {
        assert_eq!(read(line.as_bytes()), [(1, expected.to_owned())], "{line}");
    }
}

#[test]
fn invalid_ids_are_errors() {
    for id in [
        "row-0",
        "row-+7",
        "row-007",
        "row-",
        "row--1",
        "row-99999999999999999999",
        "",
    ] {
        let line = json!({"custom_id": id, "response": {"body": {"choices": [{"message": {"content": "4"}}]}}});
        let expected =
            format!("out.jsonl, row 1, column `custom_id`: the id `{id}` does not belong to a row");
        assert_eq!(read(line.to_string().as_bytes()), [(0, expected)]);
    }
}

#[test]
fn read_errors_end_the_file_and_invalid_lines_do_not() {
    let good = json!({"custom_id": "row-1", "response": {"body": {"choices": [{"message": {"content": "4"}}]}}});
    let text = [b"\xff\n".as_slice(), good.to_string().as_bytes()].concat();
    let told = [
        (0, "out.jsonl, row 1: the line is not UTF-8".to_owned()),
        (1, "4".to_owned()),
    ];
    assert_eq!(read(&text), told);

    /// A disk that has died.
    struct Dead;
    impl std::io::Read for Dead {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("it is dead"))
        }
    }
    let told: Vec<_> = parse_batch::<Sum>(Dead, "out.jsonl").take(9).collect();
    assert_eq!(told.len(), 1);
    let error = told[0].as_ref().err().map(ToString::to_string);
    assert_eq!(
        error.as_deref(),
        Some("out.jsonl: it cannot be read: it is dead")
    );
}

#[test]
fn schema_names_of_batches_are_valid() {
    #[derive(typed_prompt::Prompt)]
    #[prompt(user = "<question>", output = Größe)]
    struct Fragé<'a> {
        question: &'a str,
    }
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is written")]
    struct Größe {
        metres: f64,
    }
    let mut file = Vec::new();
    let mut batch = BatchWriter::new(&mut file, "m");
    let row = Row {
        number: 1,
        value: Fragé {
            question: "How deep?",
        },
    };
    batch.add(&row).expect("it can be written");
    batch.finish().expect("there is room");
    let line: serde_json::Value = serde_json::from_slice(&file).expect("it is JSON");
    assert_eq!(
        line["body"]["response_format"]["json_schema"]["name"],
        "Frag"
    );
}

/// The field that every model of OpenAI accepts. Another server may need the older one.
#[test]
fn batches_name_the_greatest_length_as_the_server_expects_it() {
    let newer = Options::new().max_tokens(9);
    let older = Options::new().field("max_tokens", 9);
    for (options, field) in [(newer, "max_completion_tokens"), (older, "max_tokens")] {
        let mut file = Vec::new();
        let mut batch = BatchWriter::new(&mut file, "m").options(options);
        let value = prompt_core::Messages::from([prompt_core::Message::user("Hi")]);
        batch
            .add(&Row { number: 1, value })
            .expect("it can be written");
        batch.finish().expect("there is room");
        let line: serde_json::Value = serde_json::from_slice(&file).expect("it is JSON");
        let fields = line["body"].as_object().expect("an object");
        assert_eq!((fields.len(), &fields[field]), (3, &9.into()), "{fields:?}");
    }
}

#[test]
fn ids_of_batches_are_unique() {
    let value = || prompt_core::Messages::from([prompt_core::Message::user("Hi")]);
    let mut file = Vec::new();
    let mut batch = BatchWriter::new(&mut file, "m");
    batch
        .add(&Row {
            number: 7,
            value: value(),
        })
        .expect("it can be written");
    let error = batch
        .add(&Row {
            number: 7,
            value: value(),
        })
        .unwrap_err();
    assert_eq!(error.message(), "`row-7` is in the batch already");
    assert_eq!(batch.finish().expect("there is room"), 1);
    assert_eq!(String::from_utf8(file).expect("text").lines().count(), 1);
}

#[test]
fn schemas_of_lists_are_described_in_batches() {
    #[derive(typed_prompt::Prompt)]
    #[prompt(user = "Which?", output = Vec<i64>)]
    struct Which;
    let mut file = Vec::new();
    let mut batch = BatchWriter::new(&mut file, "m");
    batch
        .add(&Row {
            number: 1,
            value: Which,
        })
        .expect("it can be written");
    batch.finish().expect("there is room");
    let line: serde_json::Value = serde_json::from_slice(&file).expect("it is JSON");
    assert_eq!(line["body"].get("response_format"), None);
    let content = line["body"]["messages"][0]["content"]
        .as_str()
        .expect("text");
    assert!(
        content.ends_with("this type:\ninteger[]\n\nWhich?"),
        "{content}"
    );
}

#[cfg(unix)]
#[test]
fn batches_are_readable_by_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;

    let path = path("private.jsonl");
    let batch = BatchWriter::create(&path, "m").expect("a new file");
    batch.finish().expect("there is room");
    let mode = std::fs::metadata(&path)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn rows_are_read_lazily() {
    // The reader yields rows lazily and stores none.
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
    let rows = Dataset::<Sum>::from_jsonl(Endless(100_000), "endless.jsonl").expect("it has rows");
    assert_eq!(rows.filter(Result::is_ok).count(), 100_000);
}
