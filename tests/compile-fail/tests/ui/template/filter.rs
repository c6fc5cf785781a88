//! Error 4: a filter that there is not.

#[typed_prompt::template(user = "Translate <text | uper>.")]
struct Translate;

fn main() {}
