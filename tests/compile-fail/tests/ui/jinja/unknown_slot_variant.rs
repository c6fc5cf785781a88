//! Error 1: a name that is not a field, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja")]
enum Step {
    #[prompt(user = "{{ qestion }} {{ question | upper }}")]
    Plan {
        question: String,
    },
}

fn main() {}
