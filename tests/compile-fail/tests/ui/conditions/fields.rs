//! Error 16: a variant with fields has no label.

use typed_prompt::{Label, Prompt};

#[derive(Label)]
enum Mode {
    Brief,
    Custom(String),
}

#[derive(Prompt)]
#[prompt(user = "<mode>")]
struct Ask {
    mode: Mode,
}

fn main() {}
