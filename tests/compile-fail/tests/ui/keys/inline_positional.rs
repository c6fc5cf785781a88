//! Error 4: a positional argument, as in `format!`.

use typed_prompt::prompt;

fn main() {
    let name = "Ada";
    let _ = prompt!("Hi {}", name);
}
