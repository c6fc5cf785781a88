//! Error 12: `tojson | e`, which Jinja2 does not escape.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "<a title='{{ title | tojson | e }}'>{{ title }}</a>"
)]
struct Ask {
    title: String,
}

fn main() {}
