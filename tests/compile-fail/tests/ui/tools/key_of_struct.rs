//! A key on the struct inside a variant.

use typed_prompt::Tools;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Search {
    words: String,
}

#[derive(Tools)]
enum Action {
    Search(#[tool(name = "words")] Search),
}

fn main() {}
