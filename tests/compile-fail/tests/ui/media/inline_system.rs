//! Error 22: media in the system message of `prompt!`.

use typed_prompt::prompt;

use typed_prompt::Media;

fn ask(picture: &Media) {
    let _ = prompt!(system = "See <picture>", user = "Go.");
}

fn main() {}
