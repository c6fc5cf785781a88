//! Error 4: an argument by its place, as `format!` takes them.

use typed_prompt::prompt;

fn main() {
    let name = "Ada";
    let _ = prompt!("Hi {}", name);
}
