//! The same in `prompt!`, in the brace dialect.

use typed_prompt::prompt;

fn main() {
    let diff = "+ let x = 2;";
    let _ = prompt!(
        syntax = "brace",
        user = "Review this:
                {diff}"
    );
}
