//! Error 17: a list of the template has no type that a function could take.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{{ name.split() | self::parts }}", syntax = "jinja")]
struct Ask {
    name: String,
}

fn parts(text: &str) -> String {
    text.to_owned()
}

fn main() {}
