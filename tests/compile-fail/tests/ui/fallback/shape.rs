//! Fields without names are the only error.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask(String);

fn main() {
    Ask(String::new()).messages().unwrap();
}
