//! The answer as a field, and a call that uses its type.

use typed_prompt::{Llm, MockLlm, Prompt};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Verdict {
    spam: bool,
}

#[derive(Prompt)]
#[prompt(user = "<mail>")]
struct Check {
    mail: String,
    #[prompt(output)]
    verdict: Verdict,
}

fn call(llm: &MockLlm, check: &Check) -> typed_prompt::Result<Verdict> {
    pollster::block_on(llm.call(check))
}

fn main() {}
