//! Error 17: a function takes positional arguments.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{{ name | self::shout(mark='!') }}", syntax = "jinja")]
struct Ask {
    name: String,
}

fn shout(text: &str, mark: &str) -> String {
    format!("{text}{mark}")
}

fn main() {}
