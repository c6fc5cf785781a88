//! Error 16: one name for the pairs of a map.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for price in prices><price></for>")]
struct Ask {
    prices: std::collections::BTreeMap<String, u32>,
}

fn main() {}
