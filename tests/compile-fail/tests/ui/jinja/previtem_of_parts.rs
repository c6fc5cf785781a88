//! Error 12: the item before, of a loop with several variables.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{% for name, age in people %}{{ name }}{{ age }}{% if loop.previtem is defined %},{% endif %}{% endfor %}", syntax = "jinja")]
struct Ask {
    people: Vec<(String, u8)>,
}

fn main() {}
