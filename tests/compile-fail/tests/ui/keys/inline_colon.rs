//! Error 4: an argument of `prompt!` with a colon.

use typed_prompt::prompt;

fn main() {
    let _ = prompt!(user = "Hi <name>", name: "Ada");
}
