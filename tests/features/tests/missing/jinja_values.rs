//! `derive(ToValue)` without the feature `jinja`.

use typed_prompt::jinja::ToValue;

#[derive(ToValue)]
struct User {
    name: String,
}

fn main() {}
