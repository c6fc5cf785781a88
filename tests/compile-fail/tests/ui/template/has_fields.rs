//! A struct that has fields already.

#[typed_prompt::template(user = "Translate <text>.")]
struct Translate {
    text: String,
}

fn main() {
    let ask = Translate { text: "Hi".into() };
    println!("{}", typed_prompt::Prompt::messages(&ask).is_ok());
}
