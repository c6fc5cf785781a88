//! A model that calls tools: `cargo run -p prompt-client --example tool_loop -- openai::gpt-4o`.
//!
//! Without a model's name, a scripted one answers.

use serde_json::json;
use typed_prompt::client::{Chat, call_with_tools};
use typed_prompt::{Llm, Message, Messages, Options, Reply, Result, Scripted, Tool, ToolCall};

/// The arguments of the tool `depth`.
#[derive(serde::Deserialize)]
struct Depth {
    lake: String,
}

/// What the model reads as the result of a call: also when the call makes no sense.
async fn answer(call: &ToolCall) -> Result<String> {
    if call.name != "depth" {
        return Ok(format!("there is no tool {}", call.name));
    }
    Ok(match serde_json::from_str(&call.arguments) {
        Ok(Depth { lake }) if lake == "Ammersee" => "81 metres".to_owned(),
        Ok(Depth { lake }) => format!("nothing is known of {lake}"),
        Err(error) => format!("the arguments do not fit: {error}"),
    })
}

#[tokio::main]
async fn main() -> Result<()> {
    let parameters = json!({
        "type": "object",
        "properties": {"lake": {"type": "string", "description": "The lake's name alone."}},
        "required": ["lake"],
    });
    let tool = Tool::new("depth")
        .with_description("How deep a lake is.")
        .with_parameters(parameters);
    let ask = Messages::from([Message::user("How deep is the Ammersee?")]).with_tool(tool);
    let llm: Box<dyn Llm> = match std::env::args().nth(1) {
        Some(model) => Box::new(Chat::new(&model)?),
        None => Box::new(Scripted::new([
            Reply::calls([ToolCall::new("c1", "depth", r#"{"lake": "Ammersee"}"#)]),
            Reply::new("The Ammersee is 81 metres deep."),
        ])),
    };
    println!(
        "{}",
        call_with_tools(&llm, &ask, Options::default(), 5, answer).await?
    );
    Ok(())
}
