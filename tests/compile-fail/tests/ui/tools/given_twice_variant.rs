//! Error 19: tools defined by one variant, and again by the call.

use typed_prompt::{Llm, Prompt, MockLlm, Tool, Tools};

#[derive(Tools)]
enum Action {
    /// What time it is.
    Now,
}

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan.")]
    Plan,
    #[prompt(user = "Act.")]
    Act {
        #[prompt(tools, trusted)]
        tools: Vec<Tool>,
    },
}

async fn answer(llm: &MockLlm) {
    let answer = llm.with_tools(&Step::Plan).answer(async |_: Action| Ok("noon"));
    let _ = answer.await;
}

fn main() {}
