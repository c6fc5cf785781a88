//! Error 16: a loop over a string, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "prompts/jinja_no_list.prompt")]
struct Ask {
    text: String,
}

fn main() {}
