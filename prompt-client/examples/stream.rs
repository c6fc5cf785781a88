//! An answer that comes piece by piece: `cargo run -p prompt-client --example stream -- anthropic::claude-sonnet-4-5`.
//!
//! Without a model's name, a scripted one answers.

use std::io::Write;

use typed_prompt::client::{ChatModel, StreamingLlm};
use typed_prompt::llm::Chunk;
use typed_prompt::{MockLlm, Request, prompt};

#[tokio::main]
async fn main() -> typed_prompt::Result<()> {
    let llm: Box<dyn StreamingLlm> = match std::env::args().nth(1) {
        Some(model) => Box::new(ChatModel::new(&model)?),
        None => Box::new(MockLlm::new(["Once upon a time there was a lake."])),
    };
    let about = "a lake";
    let request =
        Request::from_prompt(&prompt!("Tell a story about <about> in three sentences.")?)?;
    let mut stream = llm.stream(&request).await?;
    while let Some(chunk) = stream.next().await {
        if let Chunk::Text(text) = chunk? {
            print!("{text}");
            let _ = std::io::stdout().flush();
        }
    }
    println!("\n{:?}", stream.reply().and_then(|reply| reply.usage));
    Ok(())
}
