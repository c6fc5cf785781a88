//! Error 3: `is None` in a condition.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if context is None>No context.</if><context ?? ''>")]
struct Ask {
    context: Option<String>,
}

fn main() {}
