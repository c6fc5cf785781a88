//! A struct as a set of tools.

use typed_prompt::Tools;

#[derive(Tools)]
struct Weather {
    city: String,
}

fn main() {}
