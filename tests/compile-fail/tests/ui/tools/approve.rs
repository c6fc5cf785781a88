//! The function of `approve` receives a reference, whose type is written.

use typed_prompt::{Llm, MockLlm, Prompt, Tools};

#[derive(Prompt)]
#[prompt(user = "Hello <name>")]
struct Ask {
    name: &'static str,
}

#[derive(Tools)]
enum Action {
    /// Deletes.
    #[tool(consequential)]
    Delete,
}

async fn by_value(llm: &MockLlm) -> typed_prompt::Result<String> {
    llm.with_tools(Ask { name: "x" }).approve(|action: Action| true).answer(async |_: Action| Ok("x")).await
}

async fn without_type(llm: &MockLlm) -> typed_prompt::Result<String> {
    llm.with_tools(Ask { name: "x" }).approve(|action| true).answer(async |_: Action| Ok("x")).await
}

fn main() {}
