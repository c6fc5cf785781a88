//! Error 4: the default of Jinja as a filter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"Be <tone | default("calm")>."#)]
struct Ask {
    tone: Option<String>,
}

fn main() {}
