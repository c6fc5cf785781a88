//! The attribute on a struct.

#[typed_prompt::function(user = "Classify <ticket>.")]
struct Triage {
    ticket: String,
}

fn main() {}
