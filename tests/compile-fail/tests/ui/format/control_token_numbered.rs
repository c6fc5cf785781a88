//! Error 8: a reserved token of the format, which differs from the others in its number.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context><|reserved_special_token_17|>", format = llama3)]
struct Ask {
    context: String,
}

fn main() {}
