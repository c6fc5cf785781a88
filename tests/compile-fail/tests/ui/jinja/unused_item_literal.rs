//! Error 16: a loop variable that is not used.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for doc in docs %}-{% endfor %}")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
