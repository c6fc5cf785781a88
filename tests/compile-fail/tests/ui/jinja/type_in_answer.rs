//! Error 14: a type that is no text in the answer, which is asked about once.

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
