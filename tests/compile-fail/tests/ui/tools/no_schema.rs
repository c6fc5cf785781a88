//! A parameter of a type without a schema.

use typed_prompt::Tools;

#[derive(serde::Deserialize)]
enum Unit {
    Metres,
}

#[derive(Tools)]
enum Action {
    Depth { lake: String, unit: Unit },
}

fn main() {}
