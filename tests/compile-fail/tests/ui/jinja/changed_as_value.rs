//! Error 12: `loop.changed` without an argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{% for tag in tags %}{% if loop.changed %}{{ tag }}{% endif %}{% endfor %}", syntax = "jinja")]
struct Ask {
    tags: Vec<String>,
}

fn main() {}
