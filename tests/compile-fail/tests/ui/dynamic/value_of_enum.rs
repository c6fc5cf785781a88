//! Only a struct has parts that a template can name.

use typed_prompt::jinja::ToValue;

#[derive(ToValue)]
enum Urgency {
    Low,
}

fn main() {}
