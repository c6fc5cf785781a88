//! Error 24: files that include each other.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "prompts/jinja_cycle_a.prompt")]
struct Ask;

fn main() {}
