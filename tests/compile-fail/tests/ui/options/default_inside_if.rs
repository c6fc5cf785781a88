//! A default for an `Option` that always has a value there.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if tone>Write in a <tone ?? \"plain\"> tone.</if>")]
struct Write {
    tone: Option<String>,
}

fn main() {}
