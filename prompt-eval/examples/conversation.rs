//! Conversations of several turns: each turn is asked after the model's own answers, or after the right ones.

use prompt_core::{Reply, Scripted};
use prompt_eval::metric::ExactMatch;
use prompt_eval::{Conversation, Eval, Rows, Turns, rounds};
use serde::Deserialize;
use typed_prompt::Prompt;

/// What stands before the first turn, and the row.
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

fn conversation(talk: &Talk, turns: Turns) -> prompt_eval::Result<Conversation> {
    let pairs = rounds(&talk.questions, &talk.answers)?;
    let pairs = pairs
        .into_iter()
        .map(|(question, answer)| Turn { question, answer });
    Conversation::of(talk, pairs, turns)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/talks.jsonl");
    for turns in [Turns::Every, Turns::EveryWithGold, Turns::Last] {
        let llm = Scripted::by(|request| {
            // In place of a model: it can add ten minutes, if it was told when the train comes.
            let told = request
                .messages
                .iter()
                .any(|message| message.text() == "10:15");
            let late = request
                .messages
                .iter()
                .any(|message| message.text().contains("late"));
            Ok(Reply::new(match (late, told) {
                (true, true) => "10:25",
                (false, _) => "12",
                _ => "unknown",
            }))
        });
        let eval = Eval::new(Rows::<Talk>::open(file)?)
            .turns(move |talk| conversation(talk, turns))
            .turn_metric(ExactMatch::new());
        let report = pollster::block_on(eval.run(&llm))?;
        let requests = llm.requests().len();
        println!(
            "{turns:?}: {requests} requests, {:.3} right",
            report.metrics[0].mean()
        );
    }
    Ok(())
}
