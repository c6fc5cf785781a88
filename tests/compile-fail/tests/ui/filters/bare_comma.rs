//! Error 3: an argument without its quotes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "All: <names | join(,)>")]
struct Ask {
    names: Vec<String>,
}

fn main() {}
