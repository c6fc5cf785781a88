//! Error 16: a loop variable that is not used, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "prompts/jinja_unused_item.prompt")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
