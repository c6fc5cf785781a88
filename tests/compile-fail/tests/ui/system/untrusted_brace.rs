//! Error 7: a field in the system message that is not trusted, in the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "You know {context}.", user = "Go.", syntax = "brace")]
struct Ask {
    context: String,
}

fn main() {}
