//! Error 17: a function takes its arguments by their place.

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
