//! Error 17: a test without its argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if count is divisibleby %}{{ count }}{% endif %}")]
struct Ask {
    count: u32,
}

fn main() {}
