//! Lamini's templates: `{input:field}`, whole layouts written out.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(
    syntax = "brace",
    user = "Below is an instruction that describes a task. Write a response that appropriately completes the request.
### Instruction: {input:question}

### Response:",
    from
)]
struct Question {
    question: String,
}

fn main() -> typed_prompt::Result<()> {
    println!(
        "{}",
        Question::from("What are prompts?").to_text(format::PLAIN)?
    );
    Ok(())
}
