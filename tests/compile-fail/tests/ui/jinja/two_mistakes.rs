//! Two mistakes are two errors, in one build.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ nmae }} {{ note | uper }} {{ count + note }}")]
struct Ask {
    name: String,
    note: String,
    count: u32,
}

fn main() {}
