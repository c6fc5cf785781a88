//! Error 14: an argument of a type that cannot be rendered.

struct Ticket;

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &Ticket) -> bool;

fn main() {}
