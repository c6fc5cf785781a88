//! A function with `self`.

struct Desk;

impl Desk {
    #[typed_prompt::function(user = "Classify <ticket>.")]
    fn triage(&self, ticket: &str) -> bool;
}

fn main() {}
