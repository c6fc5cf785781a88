//! Role tags with capitals, in a literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(template = "<System>Be kind.</System><USER><question></USER>")]
struct Ask {
    question: String,
}

fn main() {}
