//! Error 15: an `Option` in a slot of `prompt!`.

use typed_prompt::prompt;

fn ask(context: Option<&str>) {
    let _ = prompt!("Use <context>");
}

fn main() {}
