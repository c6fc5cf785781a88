//! Error 12: the item before, of a loop that takes its items apart.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{% for name, age in people %}{{ name }}{{ age }}{% if loop.previtem is defined %},{% endif %}{% endfor %}", syntax = "jinja")]
struct Ask {
    people: Vec<(String, u8)>,
}

fn main() {}
