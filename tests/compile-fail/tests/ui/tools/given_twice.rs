//! Error 19: tools defined by the struct and again by the call.

use typed_prompt::{Llm, Prompt, MockLlm, Tool, Tools};

#[derive(Tools)]
enum Action {
    /// What time it is.
    Now,
}

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
    #[prompt(tools, trusted)]
    tools: Vec<Tool>,
}

async fn answer(llm: &MockLlm, ask: &Ask) {
    let answer = llm.with_tools(ask).answer(async |_: Action| Ok("noon"));
    let _ = answer.await;
}

fn main() {}
