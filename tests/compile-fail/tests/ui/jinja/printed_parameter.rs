//! Error 14: a type parameter whose bound is `Display`, in a loop of the Jinja dialect.

use std::fmt::Display;
use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for item in items %}- {{ item }}\n{% endfor %}")]
struct Describe<T: Display> {
    items: Vec<T>,
}

fn main() {}
