//! From real text to an answer: `cargo run --example quickstart [FILE…]`
//!
//! Reads passages from the files named on the command line (by default this project's own documents), picks those that
//! share words with the question, fills the prompt, shows it as messages, as Llama 3 text and as Alpaca text, and calls
//! a model. The model is a scripted one: no network, no key. The example `typed_answer` reads an answer into a type.

use std::{env, fs, process};

use typed_prompt::{Llm, MockLlm, Prompt, format};

/// Answers a question from retrieved passages.
#[derive(Prompt)]
#[prompt(
    system = "You are a support agent of <product>. Answer only from the passages.",
    user = "<for p in passages>- <p>\n</for>\nQuestion: <input:question>"
)]
struct Ask<'a> {
    #[prompt(trusted)]
    product: &'a str,
    passages: &'a [String],
    question: &'a str,
}

const QUESTION: &str = "How do I add a chat format?";

fn main() {
    if let Err(error) = run() {
        eprintln!("error: {error:#}");
        process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut files: Vec<String> = env::args().skip(1).collect();
    if files.is_empty() {
        let project = env!("CARGO_MANIFEST_DIR");
        files = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
            .map(|name| format!("{project}/{name}"))
            .into();
    }
    let mut passages = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        passages.extend(paragraphs(&text));
    }
    let found = best(&passages, QUESTION, 3);
    let ask = Ask {
        product: "typed-prompt",
        passages: &found,
        question: QUESTION,
    };

    println!("{}", title("the messages"));
    println!("{}", ask.messages()?.preview().names(true).for_stdout());
    println!("{}", title("the same for Llama 3"));
    println!("{}", ask.wrap(format::LLAMA3)?.preview().for_stdout());
    println!("{}", title("the same in Alpaca form"));
    println!("{}", ask.wrap(format::ALPACA)?.preview().for_stdout());

    #[cfg(feature = "tokens")]
    counted(&ask)?;

    let llm = MockLlm::new(["Copy a file in `format/`, then add a line to the table."]);
    let answer = pollster::block_on(llm.call(&ask))?;
    println!("{}", title("the answer"));
    println!("{answer}");
    Ok(())
}

/// With `--features tokens`: what the prompt takes of a model's context.
#[cfg(feature = "tokens")]
fn counted(ask: &Ask<'_>) -> typed_prompt::Result<()> {
    let text = ask.wrap(format::PLAIN)?;
    let tokens = text.to_tokens(&typed_prompt::tokens::Tiktoken::of_model("gpt-4o")?)?;
    println!("{}", title("as plain text, counted"));
    println!("{}", text.preview().for_stdout().tokens(&tokens));
    Ok(())
}

/// The paragraphs of a Markdown text, each under its heading; code is left out.
fn paragraphs(text: &str) -> Vec<String> {
    let mut heading = "";
    let mut found = Vec::new();
    for (index, prose) in text.split("```").enumerate() {
        if index % 2 == 1 {
            continue;
        }
        for block in prose.split("\n\n").map(str::trim) {
            if let Some(title) = block.strip_prefix('#') {
                heading = title.trim_start_matches('#').trim();
            } else if !block.is_empty() {
                found.push(format!("{heading}: {block}"));
            }
        }
    }
    found
}

/// The `count` passages that share most words with the question; of equals, the earlier.
fn best(passages: &[String], question: &str, count: usize) -> Vec<String> {
    let asked = words(question);
    let shared = |passage: &String| {
        let there = words(passage);
        asked.iter().filter(|word| there.contains(word)).count()
    };
    let mut ranked: Vec<&String> = passages.iter().collect();
    ranked.sort_by_key(|passage| std::cmp::Reverse(shared(passage)));
    ranked.into_iter().take(count).cloned().collect()
}

/// The words of three letters or more, in lower case.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() >= 3)
        .map(str::to_lowercase)
        .collect()
}

fn title(words: &str) -> String {
    format!(
        "\n──── {words} {}",
        "─".repeat(60usize.saturating_sub(words.chars().count()))
    )
}
