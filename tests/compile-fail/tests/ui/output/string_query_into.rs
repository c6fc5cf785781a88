//! Error 20: a string for a prompt of two fields, through `into`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question> <context>")]
struct Ask {
    question: String,
    context: String,
}

fn ask(prompt: impl Into<Ask>) -> String {
    prompt.into().question
}

fn main() {
    ask("Why?");
}
