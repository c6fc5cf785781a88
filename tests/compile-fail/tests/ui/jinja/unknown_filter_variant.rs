//! Error 4: a filter that does not exist, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja")]
enum Step {
    #[prompt(user = "{{ text | uper }}")]
    Plan {
        text: String,
    },
}

fn main() {}
