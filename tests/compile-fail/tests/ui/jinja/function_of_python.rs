//! Error 4: a function of Python.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "There are {{ len(names) }}.")]
struct Ask {
    names: Vec<String>,
}

fn main() {}
