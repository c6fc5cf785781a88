//! Error 7: an untrusted field in a template that front matter makes the system message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_role_untrusted.prompt")]
struct Ask {
    question: String,
}

fn main() {}
