//! Error 7: an untrusted separator.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Rules: <rules | join(separator)>", user = "Go.")]
struct Ask {
    #[prompt(trusted)]
    rules: Vec<String>,
    separator: String,
}

fn main() {}
