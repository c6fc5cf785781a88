//! Error 2: an argument without a slot.

#[typed_prompt::function(user = "Classify the ticket.")]
fn triage(ticket: &str) -> bool;

fn main() {}
