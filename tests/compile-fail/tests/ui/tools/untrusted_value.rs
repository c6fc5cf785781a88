//! An answer of a model where a consequential tool has a plain argument.

use typed_prompt::{Tools, Untrusted};

#[derive(Tools)]
enum Action {
    #[tool(consequential)]
    Send { to: String },
}

fn forward(to: Untrusted<String>) -> Action {
    Action::Send { to }
}

fn main() {}
