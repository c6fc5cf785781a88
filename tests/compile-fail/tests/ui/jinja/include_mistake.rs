//! Error 1: a name that is not a field, in an included file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% include 'prompts/jinja_header.prompt' %}{{ name }}")]
struct Ask {
    name: String,
}

fn main() {}
