//! Lines that begin a message in other tools, in `prompt!`.

use typed_prompt::prompt;

fn main() {
    let question = "Why?";
    let _ = prompt!("System: Be kind.\nUser: <question>");
}
