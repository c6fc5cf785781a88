//! Error 16: a comparison with a name that no variant has.

use typed_prompt::{Label, Prompt};

#[derive(Label)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Brief,
    Full,
}

#[derive(Prompt)]
#[prompt(user = "Hi <name>.<if mode == \"breif\"> Answer in one sentence.</if>")]
struct Ask {
    name: String,
    mode: Mode,
}

fn main() {}
