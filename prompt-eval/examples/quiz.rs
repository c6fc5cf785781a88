//! Questions with choices: resumable runs, and a batch file.
//!
//! `cargo run -p prompt-eval --features eval-cli --example quiz -- --results quiz.results --limit 2`, and again without the limit.

use clap::Parser;
use prompt_compat::aisbench::MetaTemplate;
use prompt_core::{Examples, Json, MockLlm, Reply};
use prompt_eval::cli::Args;
use prompt_eval::export::BatchWriter;
use prompt_eval::metric::Choice;
use prompt_eval::retrieve::Random;
use prompt_eval::{Dataset, Eval, ExamplePool};
use serde::Deserialize;
use typed_prompt::Prompt;

#[derive(Clone, Debug, Prompt, Deserialize)]
#[prompt(
    system = "Answer with the letter of the right choice.",
    user = "<question>\nA. <a>\nB. <b>\nC. <c>\nD. <d>",
    assistant = "Answer: <answer>"
)]
struct Quiz {
    #[prompt(examples)]
    #[serde(skip)]
    examples: Examples,
    question: String,
    a: String,
    b: String,
    c: String,
    d: String,
    #[prompt(answer)]
    answer: String,
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    run: Args,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/quiz.jsonl");
    let rows = || Dataset::<Quiz>::load(file);
    let all: Vec<Quiz> = rows()?
        .map(|row| row.map(|row| row.value))
        .collect::<Result<_, _>>()?;

    // The examples are the rows themselves: two other rows precede each.
    let examples = ExamplePool::from_turns(all.clone())?
        .retriever(Random::new(2).seed(42))
        .leave_one_out();
    let eval = Eval::new(rows()?)
        .few_shot(examples, |row, examples| row.examples = examples)
        .gold(Choice::new(["A", "B", "C", "D"]), |row| row.answer.clone());
    // A mock model that knows about bats and bees.
    let llm = MockLlm::from_fn(|request| {
        let question = request
            .messages
            .last()
            .map(|message| message.text().into_owned());
        let knows = |word: &str| question.as_ref().is_some_and(|text| text.contains(word));
        Ok(Reply::new(match (knows("mammal"), knows("hive")) {
            (true, _) => "Answer: B",
            (_, true) => "It is D.",
            _ => "C\nbecause it is warm",
        }))
    });
    println!("{}", pollster::block_on(Cli::parse().run.run(eval, &llm))?);

    // The same rows for a server that works off files.
    let mut batch = BatchWriter::new(std::io::stdout(), "llama-3");
    for row in rows()?.take(1) {
        batch.add(&row?)?;
    }
    batch.finish()?;

    // The same for a base model, with the delimiters of a meta template.
    let meta = Json::parse(
        r#"{"round": [{"role": "HUMAN", "begin": "<user>", "end": "\n"}, {"role": "BOT", "begin": "<bot>", "end": "\n", "generate": true}]}"#,
    )?;
    println!("\n{}", all[0].to_text(MetaTemplate::from_json(&meta)?)?);
    Ok(())
}
