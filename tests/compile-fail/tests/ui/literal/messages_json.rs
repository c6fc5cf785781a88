//! A list of messages in JSON.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(template = r#"[{"role": "system", "content": "Be kind."}, {"role": "user", "content": "<question>"}]"#)]
struct Ask {
    question: String,
}

fn main() {}
