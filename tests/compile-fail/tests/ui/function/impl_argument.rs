//! An argument of `impl Trait`.

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: impl std::fmt::Display) -> bool;

fn main() {}
