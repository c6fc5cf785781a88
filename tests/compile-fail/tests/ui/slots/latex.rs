//! Error 1: LaTeX in the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r"Solve $\frac{a}{b} = {x}$", syntax = "brace")]
struct Solve {
    x: f64,
}

fn main() {}
