//! Error 2: a `set` that is not used, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja")]
enum Step {
    #[prompt(user = "{% set loud = text | upper %}{{ text }}")]
    Plan {
        text: String,
    },
}

fn main() {}
