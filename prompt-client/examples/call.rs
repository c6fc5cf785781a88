//! A typed call: `cargo run -p prompt-client --example call -- openai::gpt-4o`.
//!
//! Without a model's name, a scripted one answers.

use typed_prompt::client::ChatModel;
use typed_prompt::{Llm, MockLlm, Prompt};

/// Answers a customer's question from passages.
#[derive(Prompt)]
#[prompt(
    system = "Answer only from the passages. Say in `sure` how sure you are.",
    user = "<for p in passages>- <p>\n</for>\nQuestion: <input:question>",
    output = Answer
)]
struct Ask<'a> {
    passages: &'a [&'a str],
    question: &'a str,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Debug)]
struct Answer {
    /// One sentence.
    text: String,
    sure: Sure,
    /// The numbers of the passages used, from 1.
    cited: Vec<u32>,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Debug)]
enum Sure {
    Very,
    Rather,
    Not,
}

#[tokio::main]
async fn main() -> typed_prompt::Result<()> {
    let passages = [
        "The router restarts with the button at its back.",
        "Its lamp is green when it is on line.",
    ];
    let ask = Ask {
        passages: &passages,
        question: "How do I restart it?",
    };
    let answer = match std::env::args().nth(1) {
        Some(model) => ChatModel::new(&model)?.call(&ask).await?,
        None => {
            MockLlm::new([
                r#"{"text": "Press the button at its back.", "sure": "Very", "cited": [1]}"#,
            ])
            .call(&ask)
            .await?
        }
    };
    println!(
        "{} (cited: {:?}, sure: {:?})",
        answer.text, answer.cited, answer.sure
    );
    Ok(())
}
