//! Keys in an attribute of their own.

#[typed_prompt::template]
#[prompt(user = "Translate <text>.")]
struct Translate;

fn main() {}
