//! Error 16: a loop variable that is not used, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja")]
enum Step {
    #[prompt(user = "{% for doc in docs %}-{% endfor %}")]
    Plan {
        docs: Vec<String>,
    },
}

fn main() {}
