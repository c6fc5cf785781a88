//! Error 7: a fragment in the system message, whose fields are not trusted.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(fragment = "- <name>")]
struct Person {
    name: String,
}

#[derive(Prompt)]
#[prompt(system = "You help <person>.", user = "Go.")]
struct Ask {
    person: Person,
}

fn main() {}
