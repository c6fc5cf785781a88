//! A function that returns `()`.

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> ();

fn main() {}
