//! Error 5: no template.

#[typed_prompt::template(fields(text: String))]
struct Translate;

fn main() {}
