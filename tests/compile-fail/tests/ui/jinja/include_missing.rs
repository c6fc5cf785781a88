//! Error 13: an included file that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% include 'prompts/jinja_haeder.prompt' %}{{ text }}")]
struct Ask {
    text: String,
}

fn main() {}
