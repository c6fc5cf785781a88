//! A prompt function returns a prompt, not a future.

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> bool;

async fn asks() {
    let bug: bool = triage("It crashes").await;
}

fn main() {}
