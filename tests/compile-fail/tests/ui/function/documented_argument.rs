//! A doc comment on an argument, as for a model.

#[typed_prompt::function(user = "Sort <ticket>.")]
fn sort(
    /// The ticket, as the customer wrote it.
    ticket: &str,
) -> String;

fn main() {}
