//! Error 5: a key of a field that is given twice.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "<product>", user = "Go.")]
struct Ask {
    #[prompt(trusted, trusted)]
    product: String,
}

fn main() {}
