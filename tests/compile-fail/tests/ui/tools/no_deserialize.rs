//! A variant around a type that cannot be read.

use typed_prompt::Tools;

#[derive(schemars::JsonSchema)]
struct Depth {
    lake: String,
}

#[derive(Tools)]
enum Action {
    Depth(Depth),
}

fn main() {}
