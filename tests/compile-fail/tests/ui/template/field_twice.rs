//! Error 5: a field given twice.

#[typed_prompt::template(user = "Translate <text>.", fields(text: u8, text: String))]
struct Translate;

fn main() {}
