//! Expressions where a dialect has names only.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "fstring", user = "{q} {', '.join(xs)}")]
struct Joined {
    q: String,
    xs: Vec<String>,
}

#[derive(Prompt)]
#[prompt(syntax = "fstring", user = "{q} {x if flag else 'none'}")]
struct Chosen {
    q: String,
    x: String,
    flag: bool,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "{q} {xs[0]}")]
struct Indexed {
    q: String,
    xs: Vec<String>,
}

fn main() {}
