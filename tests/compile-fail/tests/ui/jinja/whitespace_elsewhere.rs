//! Error 4: a key of another dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(lstrip_blocks, user = "Hi <text>")]
struct Ask {
    text: String,
}

fn main() {}
