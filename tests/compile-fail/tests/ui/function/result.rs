//! A function that returns a `Result`.

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> Result<bool, std::io::Error>;

fn main() {}
