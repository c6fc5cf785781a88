//! No row ever sees its own answer among its examples.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use prompt_core::{Example, Examples, MockLlm, Reply};
use prompt_eval::metric::ExactMatch;
use prompt_eval::retrieve::{
    Bm25, Dpp, FixK, Nearest, Query, Random, RetrievalInput, Retriever, VoteK, Window,
};
use prompt_eval::{DataError, Dataset, Eval, ExamplePool};
use proptest::prelude::*;
use serde::Deserialize;
use typed_prompt::Prompt;

use crate::Sum;

/// How the rows of a dataset are written.
#[derive(Clone, Copy, Debug)]
enum Format {
    Jsonl {
        line_end: &'static str,
    },
    Delimited {
        delimiter: char,
    },
    Values,
    #[cfg(feature = "eval-parquet")]
    Parquet,
}

/// Whether a dataset is read from a file or from a reader.
#[derive(Clone, Copy, Debug)]
enum Source {
    File,
    Reader,
}

/// A record of a dataset, or one that cannot be read, after some empty lines.
#[derive(Clone, Debug)]
struct Record {
    row: Option<(u8, u8)>,
    empty_lines: usize,
}

fn sum((question, answer): (u8, u8)) -> Sum {
    Sum::new(&format!("{question}+1?"), &answer.to_string())
}

/// A file that the cases of a test write one after the other.
fn case_file(extension: &str) -> PathBuf {
    thread_local!(static FOLDER: PathBuf = crate::path("case"));
    FOLDER.with(|path| path.with_extension(extension))
}

fn dataset(format: Format, source: Source, records: &[Record]) -> Dataset<Sum> {
    let values = || records.iter().filter_map(|record| record.row.map(sum));
    let mut text = String::new();
    let extension = match format {
        Format::Values => return Dataset::from(values().collect::<Vec<_>>()),
        #[cfg(feature = "eval-parquet")]
        Format::Parquet => {
            let file = case_file("parquet");
            let rows = records.iter().map(|record| {
                let row = record.row.map(sum);
                row.map(|row| [row.question, row.answer])
            });
            crate::parquet::write_rows(&file, &rows.collect::<Vec<_>>());
            return Dataset::load(file).expect("it has rows");
        }
        Format::Delimited { delimiter } => {
            text.push_str(&format!("question{delimiter}answer\n"));
            for record in records {
                text.push_str(&"\n".repeat(record.empty_lines));
                match record.row.map(sum) {
                    Some(Sum {
                        question, answer, ..
                    }) => {
                        text.push_str(&format!("{question}{delimiter}{answer}\n"));
                    }
                    None => text.push_str("one value\n"),
                }
            }
            if delimiter == ',' { "csv" } else { "tsv" }
        }
        Format::Jsonl { line_end } => {
            for record in records {
                text.push_str(&format!("  {line_end}").repeat(record.empty_lines));
                match record.row.map(sum) {
                    Some(Sum {
                        question, answer, ..
                    }) => text.push_str(&format!(
                        "{{\"question\":\"{question}\",\"answer\":\"{answer}\"}}{line_end}"
                    )),
                    None => text.push_str(&format!("{{\"question\":7}}{line_end}")),
                }
            }
            "jsonl"
        }
    };
    let reader = std::io::Cursor::new(text.clone());
    let rows = match (source, extension) {
        (Source::Reader, "jsonl") => Dataset::from_jsonl(reader, "r.jsonl"),
        (Source::Reader, "csv") => Dataset::from_csv(reader, "r.csv"),
        _ => {
            let file = case_file(extension);
            std::fs::write(&file, text).expect("a temporary file");
            Dataset::load(file)
        }
    };
    rows.expect("it has rows")
}

/// The retrievers, each for a pool of these rows and at most this many records.
fn retriever(
    kind: usize,
    wanted: usize,
    pool: &[Sum],
    records: usize,
) -> Box<dyn Retriever + Send> {
    let vector = |index: usize| vec![1.0, index as f32, (index * index % 7) as f32];
    let examples: Vec<_> = (0..pool.len()).map(vector).collect();
    let input = |examples| RetrievalInput {
        examples,
        queries: (0..records).map(vector).collect(),
    };
    let questions = pool.iter().map(|row| &row.question);
    match kind {
        0 => Box::new(FixK::new(0..pool.len())),
        1 => Box::new(Random::new(wanted).seed(7)),
        2 => Box::new(Random::new(wanted).numpy_seed(7)),
        3 => Box::new(Window::new(wanted)),
        4 => Box::new(Bm25::new(wanted, questions)),
        5 => Box::new(Nearest::new(wanted, input(examples)).expect("vectors of one length")),
        6 => Box::new(Dpp::new(wanted, input(examples)).expect("vectors of one length")),
        _ => Box::new(VoteK::new(wanted, examples).neighbours(2)),
    }
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let row = prop_oneof![9 => (0u8..5, 0u8..3).prop_map(Some), 1 => Just(None)];
    let empty_lines = prop_oneof![3 => Just(0usize), 1 => 1usize..3];
    let record = (row, empty_lines).prop_map(|(row, empty_lines)| Record { row, empty_lines });
    proptest::collection::vec(record, 1..9)
}

fn formats() -> impl Strategy<Value = (Format, Source)> {
    let formats = vec![
        Format::Jsonl { line_end: "\n" },
        Format::Jsonl { line_end: "\r\n" },
        Format::Delimited { delimiter: ',' },
        Format::Delimited { delimiter: '\t' },
        Format::Values,
        #[cfg(feature = "eval-parquet")]
        Format::Parquet,
    ];
    let sources = vec![Source::File, Source::Reader];
    (prop::sample::select(formats), prop::sample::select(sources))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn examples_never_contain_the_evaluated_row(
        records in records(),
        (format, source) in formats(),
        order in Just((0..9usize).collect::<Vec<_>>()).prop_shuffle(),
        sample in any::<u16>(),
        limit in proptest::option::of(1u64..8),
        kind in 0usize..8,
        wanted in 0usize..3,
        by_input in any::<bool>(),
        is_text in any::<bool>(),
    ) {
        let rows: Vec<Sum> = records.iter().filter_map(|record| record.row.map(sum)).collect();
        // A pool in another order, of all rows or a part of them.
        let shuffled: Vec<usize> = order.into_iter().filter(|row| *row < rows.len()).collect();
        let sampled: Vec<usize> = shuffled.iter().copied().filter(|row| sample >> row & 1 == 1).collect();
        let pooled = if sampled.is_empty() { shuffled } else { sampled };
        let rows: Vec<Sum> = pooled.into_iter().map(|row| rows[row].clone()).collect();
        prop_assume!(!rows.is_empty());
        let pool = match is_text {
            true => ExamplePool::from_texts(&rows),
            false => ExamplePool::from_turns(&rows),
        };
        let pool = pool.expect("they can be rendered").retriever(retriever(kind, wanted, &rows, 40));
        let pool = if by_input { pool.leave_equal_inputs_out() } else { pool.leave_one_out() };
        let leaks = Arc::new(Mutex::new(Vec::new()));
        let found = Arc::clone(&leaks);
        let eval = Eval::new(dataset(format, source, &records)).few_shot(pool, move |row: &mut Sum, examples| {
            let render = if is_text { Example::text } else { Example::turns };
            let own = render(row).expect("it can be rendered").to_string();
            let input = format!("What is {}", row.question);
            for example in &examples {
                let example = example.to_string();
                if example == own || by_input && example.contains(&input) {
                    found.lock().unwrap().push(example);
                }
            }
        });
        // The examples that are nearest to the row are the row itself and its equals.
        let eval = eval.query_text(|row| row.question.clone());
        let eval = eval.skip_bad().gold(ExactMatch::new(), |row| row.answer.clone());
        let eval = match limit {
            Some(limit) => eval.limit(limit),
            None => eval,
        };
        let llm = MockLlm::from_fn(|_| Ok(Reply::new("1")));
        match pollster::block_on(eval.run(&llm)) {
            Ok(report) => prop_assert!(report.failed == 0),
            Err(error) => prop_assert!(error.to_string().contains("examples are wanted"), "{error}"),
        }
        prop_assert_eq!(&*leaks.lock().unwrap(), &Vec::<String>::new());
    }
}

/// The rows of the dataset, as a program reads them for a pool.
fn rows(text: &'static str) -> Vec<Sum> {
    let rows = Dataset::<Sum>::from_jsonl(text.as_bytes(), "d.jsonl").expect("it has rows");
    rows.filter_map(Result::ok).map(|row| row.value).collect()
}

/// The examples of each row, by their text.
fn examples_of(text: &'static str, pool: ExamplePool) -> Vec<Vec<String>> {
    let shown = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&shown);
    let rows = Dataset::<Sum>::from_jsonl(text.as_bytes(), "d.jsonl").expect("it has rows");
    let eval = Eval::new(rows)
        .skip_bad()
        .few_shot(pool, move |_: &mut Sum, examples: Examples| {
            let texts = examples.iter().map(ToString::to_string);
            seen.lock().unwrap().push(texts.collect::<Vec<_>>());
        });
    drop(eval.dry_run(10).expect("it can be shown"));
    let shown = shown.lock().unwrap();
    shown.clone()
}

#[test]
fn empty_lines_broken_rows_and_equal_rows_do_not_leak() {
    for text in [
        "\n{\"question\":\"1+1\",\"answer\":\"2\"}\n{\"question\":\"2+2\",\"answer\":\"4\"}\n{\"question\":\"3+3\",\"answer\":\"6\"}\n",
        "{\"question\":\"1+1\",\"answer\":\"2\"}\r\n \r\n{\"question\":\"2+2\",\"answer\":\"4\"}\r\n{\"question\":\"3+3\",\"answer\":\"6\"}",
        "{\"question\":1}\n{\"question\":\"1+1\",\"answer\":\"2\"}\n{\"question\":\"2+2\",\"answer\":\"4\"}\n{\"question\":\"3+3\",\"answer\":\"6\"}",
    ] {
        let pool = ExamplePool::from_texts(rows(text))
            .expect("they can be rendered")
            .leave_one_out();
        let expected = [
            ["What is 2+24", "What is 3+36"],
            ["What is 1+12", "What is 3+36"],
            ["What is 1+12", "What is 2+24"],
        ];
        let expected =
            expected.map(|examples| examples.map(|example| format!("Add.{example}")).to_vec());
        assert_eq!(examples_of(text, pool), expected, "{text}");
    }
    let equal = "{\"question\":\"1+1\",\"answer\":\"2\"}\n{\"question\":\"2+2\",\"answer\":\"4\"}\n{\"question\":\"1+1\",\"answer\":\"2\"}\n";
    let pool = ExamplePool::from_texts(rows(equal))
        .expect("they can be rendered")
        .leave_one_out();
    let counts = examples_of(equal, pool);
    assert_eq!(counts.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 1]);
}

#[test]
fn records_are_numbered_and_lines_are_in_errors() {
    let text = "\n{\"question\":\"1+1\",\"answer\":\"2\"}\n\n{\"question\":7}\n{\"question\":\"3+3\",\"answer\":\"6\"}\n";
    let rows: Vec<_> = Dataset::<Sum>::from_jsonl(text.as_bytes(), "d.jsonl")
        .expect("it has rows")
        .collect();
    let numbers: Vec<u64> = rows
        .iter()
        .filter_map(|row| row.as_ref().ok())
        .map(|row| row.number)
        .collect();
    assert_eq!(numbers, [1, 3]);
    assert_eq!(
        rows[1].as_ref().unwrap_err().to_string(),
        "d.jsonl, row 2, line 4, column `question`: invalid type: integer `7`, expected a string"
    );
    let path = crate::written("d.jsonl", text);
    assert_eq!(
        Dataset::<Sum>::load(path).expect("it has rows").row_count(),
        Some(3)
    );
    // An error that is found after a row was read.
    let rows =
        Dataset::<Sum>::from_jsonl(&b"\n{\"question\":\"1+1\",\"answer\":\"2\"}"[..], "d.jsonl")
            .expect("it has rows");
    let eval = Eval::new(rows).gold(prompt_eval::metric::Choice::new(["1", "3"]), |row| {
        row.answer.clone()
    });
    let error = eval.dry_run(1).unwrap_err().to_string();
    assert!(
        error.starts_with("d.jsonl, row 1, line 2, column `answer`: "),
        "{error}"
    );
}

/// Another prompt for the same rows.
#[derive(Clone, Debug, Deserialize, Prompt)]
#[prompt(user = "Q: <question>\nA: ", assistant = "<answer>")]
struct Shot {
    question: String,
    #[prompt(answer)]
    answer: String,
}

/// A retriever that ignores what is excluded.
struct Careless;

impl Retriever for Careless {
    fn select_rows(&mut self, _: &Query<'_>, _: usize) -> Result<Vec<usize>, DataError> {
        Ok(vec![0])
    }
}

#[test]
fn examples_that_cannot_be_compared_with_a_row_are_an_error() {
    let row = Sum::new("1+1", "2");
    let shots = [Shot {
        question: "1+1".to_owned(),
        answer: "2".to_owned(),
    }];
    let other = ExamplePool::from_texts(&shots).expect("they can be rendered");
    let collected: ExamplePool = [Example::turns(&row).expect("it can be rendered")]
        .into_iter()
        .collect();
    let careless = ExamplePool::from_turns([&row])
        .expect("they can be rendered")
        .retriever(Careless);
    for (pool, message) in [
        (
            other,
            "the examples are of the prompt `Shot` and the rows of `Sum`, so that the evaluated row cannot be recognised among them",
        ),
        (
            collected,
            "the examples were collected without their rows, so that the evaluated row cannot be recognised among them",
        ),
        (
            careless,
            "the retriever returned example 0, which is excluded for this row",
        ),
    ] {
        let mut pool = pool.leave_one_out();
        let error = pool.select_examples(&row, &Query::row(0)).unwrap_err();
        assert_eq!(error.message(), message);
    }
}
