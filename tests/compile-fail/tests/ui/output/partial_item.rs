//! A struct whose parts cannot be read.

use typed_prompt::output::Partial;

#[derive(Partial)]
struct Page<T> {
    items: Vec<T>,
}

#[derive(serde::Deserialize, Partial)]
struct Event {
    #[serde(deserialize_with = "seconds")]
    begin: u64,
    #[partial(complet)]
    title: String,
}

fn seconds<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    serde::Deserialize::deserialize(from)
}

fn main() {}
