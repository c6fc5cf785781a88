//! A wrong template is the only error: a string query adds none.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<questin>", from)]
struct Ask {
    question: String,
}

fn main() {
    Ask::from("Why?").messages().unwrap();
}
