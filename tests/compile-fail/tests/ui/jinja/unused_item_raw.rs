//! Error 16: a loop variable that is not used, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = r#"{"question": "{% for doc in docs %}-{% endfor %}"}"#)]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
