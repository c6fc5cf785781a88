//! Error 12: a block that is called.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% call card() %}{{ text }}{% endcall %}")]
struct Ask {
    text: String,
}

fn main() {}
