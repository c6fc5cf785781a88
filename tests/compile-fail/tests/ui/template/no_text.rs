//! Error 5: no text.

#[typed_prompt::template(fields(text: String))]
struct Translate;

fn main() {}
