//! Error 5: a key twice in front matter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_twice.prompt")]
struct Ask {
    question: String,
}

fn main() {}
