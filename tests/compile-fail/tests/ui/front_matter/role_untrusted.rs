//! Error 7: an untrusted field in a text that front matter makes the system's.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_role_untrusted.prompt")]
struct Ask {
    question: String,
}

fn main() {}
