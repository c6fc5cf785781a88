//! Error 2: a file of Jinja without the key `syntax`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/jinja_without_key.jinja")]
struct Ask {
    question: String,
}

fn main() {}
