//! An argument of a consequential tool that untrusted text may have written.

use typed_prompt::{Tools, Untrusted};

#[derive(Tools)]
enum Action {
    #[tool(consequential)]
    Send {
        to: Untrusted<String>,
        text: String,
    },
}

fn main() {}
