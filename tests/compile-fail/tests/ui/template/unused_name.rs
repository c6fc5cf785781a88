//! A name in `fields` that no slot has, and no type.

#[typed_prompt::template(user = "Translate <text>.", fields(txt))]
struct Translate;

fn main() {}
