//! Error 4: a filter that does not exist, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "prompts/jinja_unknown_filter.prompt")]
struct Ask {
    text: String,
}

fn main() {}
