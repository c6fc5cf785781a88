//! Error 4: a method of Rust that asks for items.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if docs.is_empty() %}None.{% endif %}")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
