//! The attribute on an enum.

#[typed_prompt::template(user = "Translate <text>.")]
enum Translate {
    Text,
}

fn main() {}
