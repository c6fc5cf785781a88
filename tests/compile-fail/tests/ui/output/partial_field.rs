//! A field whose type has no form for the part of its value that has arrived.

use typed_prompt::output::Partial;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Date(u16, u8, u8);

#[derive(serde::Deserialize, schemars::JsonSchema, Partial)]
struct Event {
    title: String,
    date: Date,
}

fn main() {}
