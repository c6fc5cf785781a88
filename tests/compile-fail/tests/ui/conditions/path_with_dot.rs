//! A variant by its path in another language.

use typed_prompt::{Label, Prompt};

#[derive(Label)]
enum Plan {
    Free,
    Pro,
}

#[derive(Prompt)]
#[prompt(user = "<question><if plan == Plan.Pro> Call us.</if>")]
struct Support {
    plan: Plan,
    question: String,
}

fn main() {}
