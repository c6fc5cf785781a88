//! Many inputs, a few at a time: `cargo run -p prompt-client --example batch -- groq::llama-3.3-70b-versatile`.
//!
//! Without a model's name, a scripted one answers.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use typed_prompt::client::ChatModel;
use typed_prompt::{Llm, MockLlm, Prompt, Reply};

#[derive(Prompt)]
#[prompt(user = "Is this text friendly? Say yes or no.\n\n<text>")]
struct Friendly {
    text: String,
}

/// How many requests are under way at once.
const AT_ONCE: usize = 4;

#[tokio::main]
async fn main() -> typed_prompt::Result<()> {
    let llm: Arc<dyn Llm> = match std::env::args().nth(1) {
        Some(model) => Arc::new(ChatModel::new(&model)?),
        None => Arc::new(MockLlm::from_fn(|request| {
            let friendly = request.messages[0].text().contains("thank");
            Ok(Reply::new(if friendly { "yes" } else { "no" }))
        })),
    };
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut tasks = JoinSet::new();
    for (row, text) in ["Many thanks!", "Never again.", "Oh, thank you."]
        .into_iter()
        .enumerate()
    {
        let (llm, places) = (llm.clone(), places.clone());
        tasks.spawn(async move {
            let _place = places.acquire_owned().await;
            (
                row,
                llm.call(&Friendly {
                    text: text.to_owned(),
                })
                .await,
            )
        });
    }
    let mut answers: Vec<_> = tasks.join_all().await;
    answers.sort_by_key(|(row, _)| *row);
    for (row, answer) in answers {
        println!("{row}: {}", answer?);
    }
    Ok(())
}
