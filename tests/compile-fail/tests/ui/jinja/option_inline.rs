//! Error 15: an `Option` in a slot, in `prompt!`.

use typed_prompt::prompt;

fn main() {
    let note = Some("a");
    let _ = prompt!("Note: {{ note }}", syntax = "jinja");
}
