//! Rows that mix text with images, which are read from files.
//!
//! `cargo run -p prompt-eval --features eval-cli --example pictures -- --dry-run` prints the requests.

use clap::Parser;
use prompt_core::{MediaKind, MockLlm, Reply};
use prompt_eval::cli::Args;
use prompt_eval::metric::ExactMatch;
use prompt_eval::{Content, Dataset, Eval, Row, media_file};
use serde::Deserialize;
use typed_prompt::Prompt;

/// A row of the file.
#[derive(Debug, Deserialize)]
struct Tagged {
    content: String,
    answer: String,
}

#[derive(Clone, Prompt)]
#[prompt(
    system = "Answer in one word.",
    user = "<for piece in content><if piece.text><piece.text></if><if piece.image><piece.image></if></for>",
    assistant = "<answer>"
)]
struct Look {
    content: Content,
    #[prompt(answer)]
    answer: String,
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    run: Args,
}

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data");

fn look(row: Row<Tagged>) -> Result<Look, prompt_eval::DataError> {
    let open = |kind, name: &str| media_file(format!("{DATA}/{name}"), kind);
    let content = Content::parse_tagged(&row.value.content, open)
        .and_then(|content| content.only(&[MediaKind::Image]))
        .map_err(|error| error.at_row(row.number).at_column("content"))?;
    let answer = row.value.answer;
    Ok(Look { content, answer })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = Dataset::<Tagged>::load(format!("{DATA}/pictures.jsonl"))?;
    let rows: Vec<Look> = rows
        .map(|row| row.and_then(look))
        .collect::<Result<_, _>>()?;
    let eval = Eval::new(rows).gold(ExactMatch::lenient(), |row| row.answer.clone());

    let llm = MockLlm::from_fn(|request| {
        let question = request
            .messages
            .last()
            .map(|message| message.text().into_owned());
        let is_colour = question.is_some_and(|question| question.contains("colour"));
        Ok(Reply::new(if is_colour { "Red." } else { "that" }))
    });
    let ran = pollster::block_on(Cli::parse().run.run(eval, &llm))?;
    println!("{ran}");
    Ok(())
}
