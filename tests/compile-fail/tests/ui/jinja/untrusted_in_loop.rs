//! Error 7: items of a user's in the system message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", system = "{% for rule in rules | sort %}{{ rule }}{% endfor %}", user = "Hi")]
struct Ask {
    rules: Vec<String>,
}

fn main() {}
