//! Error 4: a filter that does not exist, in `prompt!`.

use typed_prompt::prompt;

fn main() {
    let text = "a";
    let _ = prompt!("Hi {{ text | uper }}", syntax = "jinja");
}
