//! A tuple struct.

#[typed_prompt::template(user = "Translate <text>.")]
struct Translate(String);

fn main() {}
