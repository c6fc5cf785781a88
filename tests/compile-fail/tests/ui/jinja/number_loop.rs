//! Error 16: a loop over a number.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for i in count %}{{ i }}{% endfor %}")]
struct Ask {
    count: u32,
}

fn main() {}
