//! `prompt!` fills a template with the variables in scope.

use typed_prompt::{format, prompt};

fn main() -> typed_prompt::Result<()> {
    let (text, language) = ("Good morning!", "French");
    let ask = prompt!("Translate <text> into <language>.")?;
    println!("{}", ask.to_text(format::PLAIN)?);

    let words = ["red", "green"];
    let ask = prompt!(
        system = "Answer with at most <limit> words.",
        user = "<for word in words><word> </for><text | upper>",
        limit = 2 + 3,
    )?;
    println!("{}", ask.to_text(format::CHATML)?);
    Ok(())
}
