//! Error 1: a field that a struct with `#[derive(Fields)]` does not have, of the item of a loop in Jinja.

use typed_prompt::jinja::ToValue;
use typed_prompt::{Fields, Prompt};

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for user in users %}{{ user.nmae }}{% endfor %}")]
struct Ask {
    users: Vec<User>,
}

#[derive(Fields, ToValue)]
struct User {
    name: String,
}

fn main() {}
