//! A YAML document with the template in one of its keys.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(template = "name: ask\ntemplate: |\n  Hi <q>")]
struct Ask {
    q: String,
}

fn main() {}
