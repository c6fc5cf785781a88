//! Error 14: a list in a plain slot.

#[typed_prompt::template(user = "Translate <texts>.<for text in texts> <text></for>")]
struct Translate;

fn main() {}
