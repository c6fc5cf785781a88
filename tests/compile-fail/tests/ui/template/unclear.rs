//! Names whose types the template does not determine.

#[typed_prompt::template(user = "Translate <page.text>.<for word in words> <word.text></for>")]
struct Translate;

fn main() {}
