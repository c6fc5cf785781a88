//! Error 15: the item before the first one does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{% for tag in tags %}{{ loop.previtem }}{{ tag }}{% endfor %}", syntax = "jinja")]
struct Ask {
    tags: Vec<String>,
}

fn main() {}
