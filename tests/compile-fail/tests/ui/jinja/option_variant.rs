//! Error 15: an `Option` in a slot, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja")]
enum Step {
    #[prompt(user = "{{ note }}")]
    Plan {
        note: Option<String>,
    },
}

fn main() {}
