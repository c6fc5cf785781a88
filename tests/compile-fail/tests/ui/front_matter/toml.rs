//! Front matter between other lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_toml.prompt")]
struct Ask {
    q: String,
}

fn main() {}
