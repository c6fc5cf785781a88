//! Error 21: a return type that no answer can be read into.

struct Label;

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> Label;

fn main() {}
