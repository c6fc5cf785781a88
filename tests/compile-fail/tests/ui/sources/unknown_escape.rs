//! An escape that Rust does not have: rustc's error is the only one.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Write \<name> literally, <question>")]
struct Ask {
    question: String,
}

fn main() {}
