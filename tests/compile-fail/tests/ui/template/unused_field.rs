//! Error 2: a field that no slot shows.

#[typed_prompt::template(user = "Translate <text>.", fields(formal: bool))]
struct Translate;

fn main() {}
