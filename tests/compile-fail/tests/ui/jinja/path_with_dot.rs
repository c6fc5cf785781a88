//! A variant by its path in another language, in the Jinja dialect.

use typed_prompt::{Label, Prompt};

#[derive(Label)]
enum Plan {
    Free,
    Pro,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ question }}{% if plan != Plan.Pro %} Call us.{% endif %}")]
struct Support {
    plan: Plan,
    question: String,
}

fn main() {}
