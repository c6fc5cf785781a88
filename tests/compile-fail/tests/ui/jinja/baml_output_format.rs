//! The description of the output type of BAML.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "Sort: {{ text }} {{ ctx.output_format }}")]
struct Ask {
    text: String,
}

fn main() {}
