//! A base model: two few-shot examples before each question, nearest neighbours by BM25.
//!
//! `cargo run -p prompt-eval --features eval-cli --example completion -- --dry-run=1` shows the first prompt.

use clap::Parser;
use prompt_core::{Examples, MockLlm, Reply, format};
use prompt_eval::cli::Args;
use prompt_eval::metric::Numeric;
use prompt_eval::retrieve::Bm25;
use prompt_eval::{Dataset, Eval, ExamplePool};
use serde::Deserialize;
use typed_prompt::Prompt;

#[derive(Clone, Debug, Prompt, Deserialize)]
#[prompt(
    user = "Solve the following problems.\n\n<examples>Q: <question>\nA: ",
    assistant = "<answer>"
)]
struct Problem {
    #[prompt(examples)]
    #[serde(skip)]
    examples: Examples,
    question: String,
    #[prompt(answer)]
    answer: u64,
}

/// A few-shot example: the same without the text around all examples.
#[derive(Prompt)]
#[prompt(user = "Q: <question>\nA: ", assistant = "<answer>")]
struct Worked<'a> {
    question: &'a str,
    #[prompt(answer)]
    answer: u64,
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    run: Args,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data");
    let train = Dataset::<Problem>::load(format!("{data}/sums_train.csv"))?
        .map(|row| row.map(|row| row.value))
        .collect::<Result<Vec<_>, _>>()?;
    let worked = train.iter().map(|row| Worked {
        question: &row.question,
        answer: row.answer,
    });
    let like = Bm25::new(2, train.iter().map(|row| &row.question));
    let eval = Eval::new(Dataset::<Problem>::load(format!("{data}/sums.csv"))?)
        .few_shot(
            ExamplePool::from_texts(worked)?.retriever(like),
            |row, examples| {
                row.examples = examples;
            },
        )
        .query_text(|row| row.question.clone())
        .gold(Numeric::new(), |row| row.answer.to_string());

    // A mock model that only multiplies two numbers.
    let llm = MockLlm::from_fn(|request| {
        let text = request.messages.to_text(format::PLAIN)?;
        let question = text.rsplit("Q: ").next().unwrap_or_default();
        let numbers = question.split(|char: char| !char.is_ascii_digit());
        let product: u64 = numbers
            .filter_map(|number| number.parse::<u64>().ok())
            .product();
        Ok(Reply::new(product.to_string()))
    });
    let ran = pollster::block_on(Cli::parse().run.run(eval, &llm))?;
    println!("{ran}");

    // The answer is not part of the prompt; it is part of a training row.
    let row = &train[0];
    assert!(!row.messages()?[0].text().contains("72"));
    println!("{}", prompt_eval::export::chat_row(row)?);
    Ok(())
}
