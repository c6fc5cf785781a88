//! Error 5: a constant as the template of `prompt!`.

use typed_prompt::prompt;

const TEXT: &str = "Hi";

fn main() {
    let _ = prompt!(TEXT);
}
