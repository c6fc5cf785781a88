//! Closures that cannot run tools: not async, with `move`, with a variable that they change, and with another type of error.

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

async fn not_async(llm: &MockLlm) -> typed_prompt::Result<String> {
    llm.with_tools(Ask { name: "x" }).answer(|action: Action| Ok("x")).await
}

async fn moved(llm: &MockLlm) -> typed_prompt::Result<String> {
    let db = String::from("db");
    llm.with_tools(Ask { name: "x" }).answer(async move |action: Action| Ok(db.as_str().len())).await
}

async fn changed(llm: &MockLlm) -> typed_prompt::Result<String> {
    let mut log = Vec::new();
    llm.with_tools(Ask { name: "x" }).answer(async |action: Action| { log.push(action); Ok("x") }).await
}

async fn run(action: Action) -> std::io::Result<String> {
    std::fs::read_to_string("x")
}

async fn with_its_own_error(llm: &MockLlm) -> typed_prompt::Result<String> {
    llm.with_tools(Ask { name: "x" }).answer(run).await
}

fn main() {}
