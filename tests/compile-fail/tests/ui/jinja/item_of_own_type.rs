//! Error 17: an item of a type of one's own is no value.

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
