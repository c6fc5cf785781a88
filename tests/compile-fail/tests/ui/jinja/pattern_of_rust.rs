//! Error 17: a pattern of Rust for `format`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "It costs {{ '{:.2}' | format(price) }} EUR.")]
struct Ask {
    price: f64,
}

fn main() {}
