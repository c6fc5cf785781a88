//! Error 4: keys with the names that other libraries have for them.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(dialect = "brace", user = "{q}")]
struct Ask {
    q: String,
    #[prompt(ignore)]
    id: u64,
}

fn main() {}
