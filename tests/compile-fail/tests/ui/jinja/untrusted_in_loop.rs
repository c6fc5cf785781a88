//! Error 7: a user's items in the system message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", system = "{% for rule in rules | sort %}{{ rule }}{% endfor %}", user = "Hi")]
struct Ask {
    rules: Vec<String>,
}

fn main() {}
