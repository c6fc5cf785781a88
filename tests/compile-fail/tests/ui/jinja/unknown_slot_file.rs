//! Error 1: a name that is not a field, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "prompts/jinja_unknown_slot.prompt")]
struct Ask {
    question: String,
}

fn main() {}
