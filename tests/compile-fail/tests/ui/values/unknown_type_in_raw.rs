//! Error 14: a type that cannot fill a slot, in a raw literal.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<person>"}"#)]
struct Ask {
    person: Person,
}

fn main() {}
