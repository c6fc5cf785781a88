//! Error 13: an included file by its absolute path.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% include '/prompts/jinja_header.prompt' %}{{ text }}")]
struct Ask {
    text: String,
}

fn main() {}
