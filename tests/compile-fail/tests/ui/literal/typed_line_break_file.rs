//! A line break that is typed as an escape in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/typed_line_break.prompt")]
struct Ask {
    question: String,
}

fn main() {}
