//! A function without its end.

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket) -> bool;

fn main() {}
