//! Error 24: files that include each other many times.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "prompts/jinja_bomb_1.prompt")]
struct Ask;

fn main() {}
