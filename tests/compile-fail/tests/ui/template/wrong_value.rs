//! A value of another type than the field that is generated.

use typed_prompt::Prompt;

#[typed_prompt::template(user = "Translate <text>.")]
struct Translate;

fn ask() {
    Translate { text: 5 }.messages();
    Translate { txt: String::new() }.messages();
}

fn main() {}
