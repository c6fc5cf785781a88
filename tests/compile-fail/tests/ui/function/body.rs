//! A function with a body.

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> bool {
    ticket.len() > 3
}

fn main() {}
