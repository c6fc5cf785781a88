//! The attribute on a function.

#[typed_prompt::template(user = "Translate <text>.")]
fn translate(text: &str) -> String;

fn main() {}
