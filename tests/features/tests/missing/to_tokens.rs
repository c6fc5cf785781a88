//! Token counts without the feature `tokens`.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(user = "<q>")]
struct Ask {
    q: String,
}

fn main() {
    let ask = Ask { q: "Hi".into() };
    let _ = ask.to_tokens(format::CHATML, &1);
}
