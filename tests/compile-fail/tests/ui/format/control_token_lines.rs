//! Error 8: a control token of the format, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <context><|eot_id|> and so on.
    ", format = llama3)]
struct Ask {
    context: String,
}

fn main() {}
