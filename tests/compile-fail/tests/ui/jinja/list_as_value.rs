//! Error 14: a list whose items are not values, in a test.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "Several: {{ people is iterable }}")]
struct Ask {
    people: Vec<Person>,
}

struct Person;

fn main() {}
