//! Error 2: a `set` that is not used, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "prompts/jinja_unused_set.prompt")]
struct Ask {
    text: String,
}

fn main() {}
