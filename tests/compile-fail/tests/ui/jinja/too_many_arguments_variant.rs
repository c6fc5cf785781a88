//! Error 17: more arguments than a filter takes, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja")]
enum Step {
    #[prompt(user = "{{ text | upper(2) }}")]
    Plan {
        text: String,
    },
}

fn main() {}
