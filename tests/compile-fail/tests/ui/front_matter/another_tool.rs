//! Error 4: the front matter of another tool.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_another_tool.prompt")]
struct Ask {
    question: String,
}

fn main() {}
