//! Error 4: a filter that does not exist.

#[typed_prompt::template(user = "Translate <text | uper>.")]
struct Translate;

fn main() {}
