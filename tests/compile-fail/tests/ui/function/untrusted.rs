//! Error 7: an argument in the system message.

#[typed_prompt::function(system = "For <product>.", user = "Hello.")]
fn triage(product: &str) -> bool;

fn main() {}
