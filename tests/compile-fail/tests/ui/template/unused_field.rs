//! Error 2: a field without a slot.

#[typed_prompt::template(user = "Translate <text>.", fields(formal: bool))]
struct Translate;

fn main() {}
