//! Error 8: a control token of the format, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<context><|eot_id|> \
        and no more", format = llama3)]
struct Ask {
    context: String,
}

fn main() {}
