//! Error 16: comparisons with names that no variant has.

use typed_prompt::{Label, Prompt};

#[derive(Label)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Brief,
    Full,
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "Hi.{% if mode == 'breif' %} Short.{% elif mode in ['full', 'long'] %} Long.{% endif %}"
)]
struct Ask {
    mode: Mode,
}

fn main() {}
