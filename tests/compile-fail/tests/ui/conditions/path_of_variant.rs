//! A variant by its path in Rust.

use typed_prompt::{Label, Prompt};

#[derive(Label)]
enum Plan {
    Free,
    Pro,
}

#[derive(Prompt)]
#[prompt(user = "<question><if urgent and plan == crate::Plan::Pro> Call us.</if>")]
struct Support {
    plan: Plan,
    urgent: bool,
    question: String,
}

fn main() {}
