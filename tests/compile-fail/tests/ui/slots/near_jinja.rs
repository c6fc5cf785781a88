//! Error 2: a slot of Jinja in the angle dialect is text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: {{ question }}")]
struct Ask {
    question: String,
}

fn main() {}
