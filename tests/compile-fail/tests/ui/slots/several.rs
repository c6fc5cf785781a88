//! Errors 1, 4 and 15: several mistakes are all reported at once.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "You are <nobody>.",
    user = "
        <contxt> <question | uper>
        <note>",
)]
struct Ask {
    context: String,
    question: String,
    note: Option<String>,
}

fn main() {}
