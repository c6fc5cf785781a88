use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "You translate into <languge>. Answer with the translation only.",
    user = "<text>"
)]
struct Translate<'a> {
    #[prompt(trusted)]
    language: &'a str,
    text: &'a str,
}

// 1: the mistake that README.md shows; `tests/readme.rs` compares the two.
fn main() {
    let ask = Translate { language: "French", text: "Good morning!" };
    let _ = ask.messages();
}
