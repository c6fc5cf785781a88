//! Error 2: a slot with the `r#` of its field is text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Of the kind <r#type>.")]
struct Ask {
    r#type: String,
}

fn main() {}
