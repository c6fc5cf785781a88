//! Error 17: a number before `format`, and the pattern as its argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "It costs {{ price | format('%.2f') }} EUR.")]
struct Ask {
    price: f64,
}

fn main() {}
