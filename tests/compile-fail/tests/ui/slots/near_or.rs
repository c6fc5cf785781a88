//! Error 2: a default as other languages write it is text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"Be <tone || "calm">."#)]
struct Ask {
    tone: Option<String>,
}

fn main() {}
