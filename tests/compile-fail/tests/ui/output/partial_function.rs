//! A field whose JSON a function reads.

use typed_prompt::output::Partial;

#[derive(serde::Deserialize, Partial)]
struct Event {
    #[serde(deserialize_with = "seconds")]
    begin: u64,
}

fn seconds<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    serde::Deserialize::deserialize(from)
}

fn main() {}
