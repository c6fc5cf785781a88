//! A wrong key is the only error.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(usr = "<question>")]
struct Ask {
    question: String,
}

fn main() {
    Ask { question: String::new() }.messages().unwrap();
}
