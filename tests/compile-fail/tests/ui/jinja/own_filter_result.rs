//! Error 14: a function as a filter that gives what cannot be shown.

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
