//! Names that providers reject.

use typed_prompt::Tools;

#[derive(Tools)]
enum Action {
    #[tool(name = "get weather")]
    Weather,
    Größe {
        länge: f64,
    },
    #[tool(name = "")]
    Nothing,
    #[tool(name = "2nd")]
    Second,
}

fn main() {}
