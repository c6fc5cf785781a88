//! Error 15: an `Option` that is compared.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hi <name><if tone == \"formal\">, dear colleague</if>")]
struct Ask {
    name: String,
    tone: Option<String>,
}

fn main() {}
