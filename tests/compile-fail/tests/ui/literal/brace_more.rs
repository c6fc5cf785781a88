//! In the brace dialect: filters, defaults, paths and formats.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "{name | upper}")]
struct Ask {
    name: String,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "{note ?? 'none'}")]
struct Default {
    note: Option<String>,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "{user.name}")]
struct Path {
    user: String,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "{price:.2}")]
struct Format {
    price: f64,
}

fn main() {}
