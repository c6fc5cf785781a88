//! Error 4: a key that takes `true` or `false`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text }}", trim_blocks = 1)]
struct Ask {
    text: String,
}

fn main() {}
