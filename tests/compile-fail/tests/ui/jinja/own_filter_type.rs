//! Error 17: a function as a filter with an argument of the wrong type.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{{ name | self::double }}", syntax = "jinja")]
struct Ask {
    name: String,
}

fn double(number: &u32) -> u32 {
    number * 2
}

fn main() {}
