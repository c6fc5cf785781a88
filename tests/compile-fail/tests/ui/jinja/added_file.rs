//! Kinds: a string and a number, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "prompts/jinja_added.prompt")]
struct Ask {
    text: String,
}

fn main() {}
