//! Error 17: a function as a filter that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{{ name | self::dobule }}", syntax = "jinja")]
struct Ask {
    name: String,
}

fn main() {}
