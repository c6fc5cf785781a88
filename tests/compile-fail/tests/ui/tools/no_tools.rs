//! An enum that is not a set of tools.

use typed_prompt::{Llm, Message, Messages, MockLlm};

enum Action {
    Now,
}

async fn answer(llm: &MockLlm) {
    let ask = Messages::from([Message::user("How late is it?")]);
    let answer = llm.with_tools(&ask).answer(async |_: Action| Ok("noon"));
    let _ = answer.await;
}

fn main() {}
