//! One field: a plain string is the whole input.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(user = "Give three rhymes for <word>.", from)]
struct Rhymes {
    word: String,
}

fn main() -> typed_prompt::Result<()> {
    let ask = Rhymes::from("mouse");
    println!("{}", ask.to_text(format::CHATML)?);
    Ok(())
}
