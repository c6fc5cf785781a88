//! Error 15: a comparison with a label that the enum of a nested field does not have.

use typed_prompt::{Fields, Label, Prompt};

#[derive(Label)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Brief,
    Full,
}

#[derive(Fields)]
struct Settings {
    mode: Mode,
}

#[derive(Prompt)]
#[prompt(user = "Hi.<if settings.mode == \"breif\"> Answer in one sentence.</if>")]
struct Ask {
    settings: Settings,
}

fn main() {}
