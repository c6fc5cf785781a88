//! Error 15: an `Option` in a slot, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "prompts/jinja_option.prompt")]
struct Ask {
    note: Option<String>,
}

fn main() {}
