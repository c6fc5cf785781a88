//! Error 12: a format of Python's f-strings, in the Jinja dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ name }}: {{ price:.2f }} EUR")]
struct Ask {
    name: String,
    price: f64,
}

fn main() {}
