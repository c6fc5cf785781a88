//! A variant by its path in Rust, in the Jinja dialect.

use typed_prompt::{Label, Prompt};

#[derive(Label)]
enum Plan {
    Free,
    Pro,
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{{ question }}{% if plan == crate::Plan::Pro and urgent %} Call us.{% endif %}"
)]
struct Support {
    plan: Plan,
    urgent: bool,
    question: String,
}

fn main() {}
