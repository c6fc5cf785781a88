//! Error 17: an item of a user-defined type is not a value.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ people | max(attribute='age') }}")]
struct Ask {
    people: Vec<Person>,
}

struct Person {
    age: u8,
}

fn main() {}
