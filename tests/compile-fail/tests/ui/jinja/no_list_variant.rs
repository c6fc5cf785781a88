//! Error 16: a loop over a string, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja")]
enum Step {
    #[prompt(user = "{% for word in text %}{{ word }}{% endfor %}")]
    Plan {
        text: String,
    },
}

fn main() {}
