//! The same in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Review this:
                     <diff>")]
    Review { diff: String },
}

fn main() {}
