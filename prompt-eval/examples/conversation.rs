//! Conversations of several turns, each after the model's own answers or after the correct ones.
//!
//! `cargo run -p prompt-eval --features eval-cli --example conversation -- --turns every_with_gt`.

use clap::Parser;
use prompt_core::{MockLlm, Reply};
use prompt_eval::cli::Args;
use prompt_eval::metric::ExactMatch;
use prompt_eval::{Conversation, Dataset, Eval, TurnMode, split_rounds};
use serde::Deserialize;
use typed_prompt::Prompt;

/// The messages before the first turn, and the row.
#[derive(Debug, Prompt, Deserialize)]
#[prompt(system = "Answer in one word. We talk about <topic>.")]
struct Talk {
    #[prompt(trusted)]
    topic: String,
    #[prompt(skip)]
    questions: Vec<String>,
    #[prompt(skip)]
    answers: Vec<String>,
}

#[derive(Prompt)]
#[prompt(user = "<question>", assistant = "<answer>")]
struct Turn<'a> {
    question: &'a str,
    #[prompt(answer)]
    answer: &'a str,
}

#[derive(Parser)]
struct Cli {
    /// Which turns the model generates: `last`, `every` or `every_with_gt`.
    #[arg(long, default_value = "every")]
    turns: TurnMode,
    #[command(flatten)]
    run: Args,
}

fn conversation(talk: &Talk, turns: TurnMode) -> Result<Conversation, prompt_eval::DataError> {
    let pairs = split_rounds(&talk.questions, &talk.answers)?;
    let pairs = pairs
        .into_iter()
        .map(|(question, answer)| Turn { question, answer });
    Conversation::from_prompt(talk, pairs, turns)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/talks.jsonl");
    let Cli { turns, run } = Cli::parse();
    // A mock model that adds ten minutes to the time of the train, if the conversation contains it.
    let llm = MockLlm::from_fn(|request| {
        let said = |word: &str| {
            let mut messages = request.messages.iter();
            messages.any(|message| message.text().contains(word))
        };
        Ok(Reply::new(match (said("late"), said("10:15")) {
            (true, true) => "10:25",
            (false, _) => "12",
            _ => "unknown",
        }))
    });
    let eval = Eval::new(Dataset::<Talk>::load(file)?)
        .conversation(move |talk| conversation(talk, turns))
        .turn_metric(ExactMatch::new());
    println!("{}", pollster::block_on(run.run(eval, &llm))?);
    println!("{} requests", llm.requests().len());
    Ok(())
}
