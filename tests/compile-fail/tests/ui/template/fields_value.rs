//! `fields` without parentheses.

#[typed_prompt::template(user = "Translate <text>.", fields = "text")]
struct Translate;

fn main() {}
