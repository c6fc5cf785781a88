//! Error 14: a type that cannot fill a slot of a file.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(file = "prompts/right.prompt")]
struct Greet {
    question: Person,
}

fn main() {}
