//! Several messages in Jinja without the feature `jinja`: one error.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    system = "Be {{ tone }}.",
    user = "Dear {{ name }}"
)]
struct Greeting {
    #[prompt(trusted)]
    tone: String,
    name: String,
}

fn main() {}
