//! Error 5: an empty `prompt!`.

use typed_prompt::prompt;

fn ask() {
    let _ = prompt!("");
}

fn main() {}
