//! Error 8: a control token of the format, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(format = llama3)]
enum Step {
    #[prompt(user = "Plan <goal>.<|eot_id|>")]
    Plan { goal: String },
}

fn main() {}
