//! Arguments that are patterns.

#[typed_prompt::function(user = "Classify <ticket> of <product>.")]
fn triage((ticket, product): (&str, &str), _: u8) -> bool;

fn main() {}
