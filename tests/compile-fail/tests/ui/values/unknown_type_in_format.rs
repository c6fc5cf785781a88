//! Error 14: a type that cannot fill its slot, in a prompt whose format is fixed.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(system = "Be brief.", user = "Greet <guest>.", format = llama3)]
struct Greet {
    guest: Person,
}

fn main() {}
