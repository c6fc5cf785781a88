//! A variant around a type without `Deserialize`.

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
