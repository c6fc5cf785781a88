//! Error 1: `loop` outside of a loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ loop.index }} {{ question }}")]
struct Ask {
    question: String,
}

fn main() {}
