//! `output` on a function, whose return type defines it.

#[typed_prompt::function(user = "Classify <ticket>.", output = bool)]
fn triage(ticket: &str) -> bool;

fn main() {}
