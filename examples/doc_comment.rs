//! The doc comment is the prompt.

use typed_prompt::{Prompt, format};

/// Rewrite the text so that a child of <age> years understands it.
/// Keep every fact.
///
/// <text>
#[derive(Prompt)]
#[prompt(doc)]
struct ForChildren<'a> {
    age: u8,
    text: &'a str,
}

fn main() -> typed_prompt::Result<()> {
    let ask = ForChildren {
        age: 8,
        text: "Photosynthesis converts light into chemical energy.",
    };
    println!("{}", ask.to_text(format::PLAIN)?);
    Ok(())
}
