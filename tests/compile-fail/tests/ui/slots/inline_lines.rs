//! Error 1: a slot of `prompt!` without a variable, in a literal of several lines.

use typed_prompt::prompt;

fn ask(language: &str) {
    let _ = prompt!(
        "
        Translate this
        into <langauge>."
    );
}

fn main() {}
