//! Error 21: a return type without deserialization.

struct Label;

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> Label;

fn main() {}
