//! Keys in a separate attribute.

#[typed_prompt::template]
#[prompt(user = "Translate <text>.")]
struct Translate;

fn main() {}
