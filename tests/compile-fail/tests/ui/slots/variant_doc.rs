//! Error 1: a slot without a field, in the doc comment of a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    /// Plan <gaol>.
    #[prompt(doc)]
    Plan { goal: String },
}

fn main() {}
