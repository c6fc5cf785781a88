//! Error 2: a default in the notation of another language is text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"Be <tone || "calm">."#)]
struct Ask {
    tone: Option<String>,
}

fn main() {}
