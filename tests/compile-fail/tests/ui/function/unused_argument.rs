//! Error 2: an argument that no slot shows.

#[typed_prompt::function(user = "Classify the ticket.")]
fn triage(ticket: &str) -> bool;

fn main() {}
