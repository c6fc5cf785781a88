//! Error 16: a loop over a string, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = r#"{"question": "{% for word in text %}{{ word }}{% endfor %}"}"#)]
struct Ask {
    text: String,
}

fn main() {}
