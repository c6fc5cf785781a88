//! Quotes of a filter argument end the string, in `prompt!`.

use typed_prompt::prompt;

fn main() {
    let tags = vec!["a"];
    let _ = prompt!("Tags: <tags | join(", ")>");
}
