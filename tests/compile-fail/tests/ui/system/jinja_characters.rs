//! Error 7: numbers as characters.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "You help {% for n in name %}{{ '%c' | format(n) }}{% endfor %}.",
    user = "Go.",
    syntax = "jinja"
)]
struct Ask {
    name: Vec<u32>,
}

fn main() {}
