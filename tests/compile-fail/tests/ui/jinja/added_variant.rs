//! Kinds: a string and a number, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja")]
enum Step {
    #[prompt(user = "{{ text + 1 }}")]
    Plan {
        text: String,
    },
}

fn main() {}
