//! Code in an inline prompt: its types are not variables.

use typed_prompt::prompt;

fn main() {
    let task = "Document";
    let _ = prompt!("<task>: fn all(xs: Vec<String>) -> Option<u8>");
    let _ = prompt!(r"ü <task> <Context>");
    let _ = prompt!(syntax = "brace", user = "{task} {Context}");
}
