//! Error 18: a history of a variant with a format that has none.

use typed_prompt::{History, Prompt};

#[derive(Prompt)]
#[prompt(format = alpaca)]
enum Step {
    #[prompt(user = "Plan <goal>.")]
    Plan {
        goal: String,
        #[prompt(history)]
        before: History,
    },
}

fn main() {}
