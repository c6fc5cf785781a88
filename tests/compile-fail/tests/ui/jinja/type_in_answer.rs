//! Error 14: a type that is not text, in the answer: one error.

use typed_prompt::Prompt;

struct Label;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ ticket }}", assistant = "{{ label }}")]
struct Ask {
    ticket: String,
    #[prompt(answer)]
    label: Label,
}

fn main() {}
