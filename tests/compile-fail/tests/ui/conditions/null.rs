//! Error 1: `null`; a condition tests whether an `Option` has a value.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<q><if due == null> No date.</if>")]
struct Ask {
    q: String,
    due: Option<String>,
}

fn main() {}
