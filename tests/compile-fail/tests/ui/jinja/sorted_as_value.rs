//! Error 14: a sorted list whose items are not values.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "Sorted: {{ people | sort(attribute='age') }}")]
struct Ask {
    people: Vec<Person>,
}

struct Person {
    age: u8,
}

fn main() {}
