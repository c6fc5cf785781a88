//! A function that is a fragment.

#[typed_prompt::function(fragment = "<ticket>")]
fn triage(ticket: &str) -> bool;

fn main() {}
