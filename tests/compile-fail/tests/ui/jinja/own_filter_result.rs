//! Error 14: a function as a filter that returns a type that cannot be rendered.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{{ name | self::parts }}", syntax = "jinja")]
struct Ask {
    name: String,
}

struct Parts;

fn parts(_: &str) -> Parts {
    Parts
}

fn main() {}
