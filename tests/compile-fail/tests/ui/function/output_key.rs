//! `output` on a function, whose return type says it.

#[typed_prompt::function(user = "Classify <ticket>.", output = bool)]
fn triage(ticket: &str) -> bool;

fn main() {}
