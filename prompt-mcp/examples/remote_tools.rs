//! Offers the tools of an MCP server to a model: `cargo run -p prompt-mcp --example remote_tools -- python3 server.py`

use tokio::process::Command;
use typed_prompt::tool::ToTools;
use typed_prompt::{Llm, MockLlm, Prompt, Reply, ToolCall, mcp::RemoteTools};

#[derive(Prompt)]
#[prompt(system = "Use the tools.", user = "<question>")]
struct Ask<'a> {
    question: &'a str,
    // The server's descriptions instruct the model: this program trusts the server.
    #[prompt(tools, trusted)]
    tools: &'a RemoteTools,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let Some(program) = arguments.next() else {
        println!("give the command of an MCP server that has a tool `add`");
        return Ok(());
    };
    let mut command = Command::new(program);
    command.args(arguments);
    let tools = RemoteTools::spawn(command).await?.only(["add"])?;
    for tool in tools.to_tools()?.iter() {
        println!("{}", tool.to_json());
    }

    // A mock model instead of `client::ChatModel`.
    let call = ToolCall::new("c1", "add", r#"{"a": 19, "b": 23}"#);
    let llm = MockLlm::new([Reply::calls([call]), Reply::new("The sum is 42.")]);
    let ask = Ask {
        question: "What is 19 + 23?",
        tools: &tools,
    };
    let answer = llm
        .with_own_tools(&ask)
        .report_errors()
        .answer(async |call: ToolCall| tools.call(&call).await)
        .await?;
    println!("{answer}");
    Ok(())
}
