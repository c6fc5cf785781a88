//! A test against the official Python SDK. `PROMPT_MCP_PYTHON` names an interpreter that has it.
//!
//! `tests/sdk/test` installs the SDK and runs the test, which `cargo test` ignores.

use prompt_core::{Json, Part, Result, ToTools, ToolCall};
use prompt_mcp::RemoteTools;
use tokio::process::Command;

/// A script of this folder that uses the SDK.
fn python(script: &str) -> Command {
    let python = std::env::var_os("PROMPT_MCP_PYTHON")
        .expect("`PROMPT_MCP_PYTHON` is a Python with the SDK: tests/sdk/test installs it");
    let mut command = Command::new(python);
    command.arg(format!("{}/tests/sdk/{script}", env!("CARGO_MANIFEST_DIR")));
    command
}

#[tokio::test]
#[ignore = "needs the Python SDK of tests/sdk/test"]
async fn tools_of_the_sdk_are_listed_and_called() -> Result<()> {
    let tools = RemoteTools::spawn(python("server.py")).await?;
    let names: Vec<&str> = tools.names().collect();
    assert_eq!(
        names,
        ["add", "describe", "words", "fail", "picture", "die"]
    );
    let definitions = tools.to_tools()?;
    assert_eq!(
        definitions[0].description().as_deref(),
        Some("Adds two numbers.")
    );
    let schema = definitions[0].parameters().map(Json::as_str);
    assert!(
        schema.is_some_and(|schema| schema.contains(r#""required":["a","b"]"#)),
        "{schema:?}"
    );
    for (name, arguments, expected) in [
        ("add", r#"{"a": 19, "b": 23}"#, Ok("42")),
        (
            "describe",
            r#"{"city": "Brest \"{x}\" ☃", "units": ["m", "km"]}"#,
            Ok("{\n  \"city\": \"Brest \\\"{x}\\\" ☃\",\n  \"units\": \"m, km\"\n}"),
        ),
        ("words", r#"{"text": "one two"}"#, Ok("one\ntwo")),
        ("words", r#"{"text": ""}"#, Ok(r#"{"result":[]}"#)),
        (
            "fail",
            "",
            Err("the tool `fail` failed: Error executing tool fail"),
        ),
        (
            "add",
            r#"{"a": "x", "b": 1}"#,
            Err("the tool `add` failed: "),
        ),
        ("picture", "{}", Ok("[image]")),
        (
            "die",
            "{}",
            Err("the MCP server `python` closed the connection (exit status: 3)"),
        ),
        (
            "add",
            r#"{"a": 1, "b": 2}"#,
            Err("the MCP server `python` closed the connection"),
        ),
    ] {
        let result = tools.call(&ToolCall::new("c1", name, arguments)).await;
        match (&result, expected) {
            (Ok(output), Ok(expected)) => {
                let media = output.parts().iter().filter_map(|part| match part {
                    Part::Media(media) => Some(format!("[{}]", media.kind().name())),
                    _ => None,
                });
                assert_eq!(output.text() + &*media.collect::<String>(), expected);
            }
            (Err(error), Err(start)) => assert!(error.message().starts_with(start), "{error}"),
            _ => panic!("{name}({arguments}) returned {result:?}"),
        }
    }
    Ok(())
}
