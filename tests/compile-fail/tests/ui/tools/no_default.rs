//! A default of a type that has none.

use typed_prompt::Tools;

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Unit {
    Metres,
}

#[derive(Tools)]
enum Action {
    Depth {
        #[tool(default)]
        unit: Unit,
    },
}

fn main() {}
