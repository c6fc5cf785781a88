//! Slots with more than a name in `prompt!`, which would be text.

use typed_prompt::prompt;

fn main() {
    let (language, n) = ("Czech", 1);
    let _ = prompt!("Answer in <language:trusted>, item <n + 1>.");
}
