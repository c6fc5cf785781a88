//! Error 1: a keyword that is near the name of a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<tpye>")]
struct Ask {
    r#type: String,
}

fn main() {}
