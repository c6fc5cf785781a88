//! Error 1: the position of carets after wide characters and tabs.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "日本語	🦀: <contxt>")]
struct Ask {
    context: String,
}

fn main() {}
