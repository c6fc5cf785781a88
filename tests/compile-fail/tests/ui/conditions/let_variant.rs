//! A variant by its path in Rust, as a pattern.

use typed_prompt::{Label, Prompt};

#[derive(Label)]
enum Plan {
    Free,
    Pro,
}

#[derive(Prompt)]
#[prompt(user = "<question><if let Plan::Pro = plan> Call us.</if>")]
struct Support {
    plan: Plan,
    question: String,
}

fn main() {}
