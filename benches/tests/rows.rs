//! A run keeps only the rows in memory that it is working on.

use std::fmt::Write;

use prompt_eval::metric::Numeric;
use prompt_eval::{Dataset, Eval, ExamplePool};
use serde::Deserialize;
use typed_prompt::{Examples, Llm, Prompt, Reply, Request, Result, llm::BoxFuture};

#[derive(Prompt, Deserialize)]
#[prompt(
    system = "Answer with a number.",
    user = "<question>",
    assistant = "<answer>"
)]
struct Sum {
    #[serde(skip)]
    #[prompt(examples)]
    examples: Examples,
    question: String,
    #[prompt(answer)]
    answer: String,
}

/// A model that costs nothing.
struct Nothing;

impl Llm for Nothing {
    fn send<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(async { Ok(Reply::new("42")) })
    }
}

/// The maximum number of bytes that a run over so many rows allocates at a time.
fn held(rows: usize) -> u64 {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("rows-{}-{rows}.jsonl", std::process::id()));
    let results = file.with_extension("results");
    let mut text = String::new();
    for row in 0..rows {
        let row = 1_000_000 + row;
        writeln!(
            text,
            r#"{{"question": "{row} + 1?", "answer": "{}"}}"#,
            row + 1
        )
        .unwrap();
    }
    std::fs::write(&file, text).unwrap();
    let worked = (0..5).map(|row| Sum {
        examples: Examples::new(),
        question: format!("{row} + 1?"),
        answer: (row + 1).to_string(),
    });
    let worked: Vec<Sum> = worked.collect();
    let held = allocation_counter::measure(|| {
        let eval = Eval::new(Dataset::<Sum>::load(&file).unwrap())
            .few_shot(ExamplePool::from_turns(worked).unwrap(), |row, examples| {
                row.examples = examples;
            })
            .gold(Numeric::new(), |row| row.answer.clone())
            .results(&results);
        let report = pollster::block_on(eval.run(&Nothing)).unwrap();
        assert_eq!(report.done, rows as u64);
    });
    std::fs::remove_file(file).unwrap();
    std::fs::remove_file(results).unwrap();
    held.bytes_max
}

#[test]
fn memory_does_not_grow_with_rows() {
    let (few, many) = (held(500), held(20_000));
    assert!(many < few + few / 10, "{few} bytes, then {many}");
}
