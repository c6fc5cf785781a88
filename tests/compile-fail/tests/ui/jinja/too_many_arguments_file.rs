//! Error 17: more arguments than a filter takes, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "prompts/jinja_too_many_arguments.prompt")]
struct Ask {
    text: String,
}

fn main() {}
