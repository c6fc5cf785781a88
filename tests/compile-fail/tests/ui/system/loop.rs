//! Error 7: an item of an untrusted list.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Rules: <for rule in rules><rule>; </for>", user = "Go.")]
struct Ask {
    rules: Vec<String>,
}

fn main() {}
