//! Error 8: a control token of the format, in a literal with roles.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<system>Be brief.</system><user><context><|eot_id|></user>", format = llama3)]
struct Ask {
    context: String,
}

fn main() {}
