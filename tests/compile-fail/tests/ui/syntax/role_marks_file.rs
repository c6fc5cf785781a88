//! Marks of roles in other notations, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/role_marks.prompt")]
struct Ask {
    q: String,
}

fn main() {}
