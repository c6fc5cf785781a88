//! A function that returns `impl Trait`.

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> impl Iterator<Item = bool>;

fn main() {}
