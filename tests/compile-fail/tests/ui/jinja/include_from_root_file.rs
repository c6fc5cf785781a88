//! Error 13: an included file, named from the folder of Cargo.toml instead of that of the file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/include_from_root.jinja", syntax = "jinja")]
struct Ask {
    text: String,
}

fn main() {}
