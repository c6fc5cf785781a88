//! A struct that has fields already.

#[typed_prompt::template(user = "Translate <text>.")]
struct Translate {
    text: String,
}

fn main() {}
