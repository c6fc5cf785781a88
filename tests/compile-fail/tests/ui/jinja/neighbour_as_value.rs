//! Error 14: the neighbour of an item, which is not a value, in a test.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{% for person in people %}{{ person.name }}: {{ loop.previtem is string }}{% endfor %}"
)]
struct Ask {
    people: Vec<Person>,
}

struct Person {
    name: String,
}

fn main() {}
