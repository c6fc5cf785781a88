//! Several mistakes of one function, in one build.

#[typed_prompt::function(system = "For <product>.", user = "Classify <tiket>", sytnax = "brace")]
async fn triage(product: &str, mut ticket: &str) -> Result<bool, String> {
    todo!()
}

fn main() {}
