//! A name with a hyphen is a difference of two names.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Dear {{ first-name }},", syntax = "jinja")]
struct Greet {
    first_name: String,
}

fn main() {}
