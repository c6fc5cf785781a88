//! The answer as a field: never in what a model reads, always in an example or a row for training.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(
    system = "Answer with the number alone.",
    user = "<question>",
    assistant = "<answer>"
)]
struct Row {
    question: String,
    #[prompt(answer)]
    answer: u32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let row = Row {
        question: "17 + 25?".into(),
        answer: 42,
    };
    println!("── asked\n{}", row.to_text(format::CHATML)?);
    let text = row
        .messages_with_answer()?
        .to_text(format::CHATML.generation_prompt(false))?;
    println!("── for training\n{text}");
    println!(
        "{}",
        serde_json::to_string(&row.messages_with_answer()?.openai())?
    );
    Ok(())
}
