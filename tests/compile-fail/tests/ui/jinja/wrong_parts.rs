//! Error 16: three names for two values.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for a, b, c in pairs %}{{ a }}{{ b }}{{ c }}{% endfor %}")]
struct Ask {
    pairs: Vec<(String, u32)>,
}

fn main() {}
