//! The beginning of a message in BAML.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ _.role('system') }} You sort. {{ text }}")]
struct Ask {
    text: String,
}

fn main() {}
