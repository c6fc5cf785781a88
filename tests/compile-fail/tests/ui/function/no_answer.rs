//! A function without a return type.

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &str);

fn main() {}
