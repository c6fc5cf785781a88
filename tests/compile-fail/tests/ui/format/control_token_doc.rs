//! Error 8: a control token of the format, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <context><|eot_id|> and so on.
#[derive(Prompt)]
#[prompt(doc, format = llama3)]
struct Ask {
    context: String,
}

fn main() {}
