//! Error 14: a type that is passed to a parameter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <name>")]
struct Greet<T> {
    name: T,
}

struct Person;

fn show(prompt: &impl Prompt) {
    prompt.messages().unwrap();
}

fn main() {
    show(&Greet { name: Person });
}
