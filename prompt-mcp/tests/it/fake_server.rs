//! An MCP server whose answers the test defines, line by line.

use prompt_core::Result;
use prompt_mcp::{Limits, RemoteTools};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

/// How the server answers a request.
pub(crate) enum Answer {
    Result(Value),
    Error(&'static str),
    /// The result, after a notification that the tools changed.
    AfterChange(Value),
    Silence,
    Close,
    /// A line that never ends.
    Endless,
}

/// Connects to a server that answers `initialize` properly, and all else with the function of method and parameters.
pub(crate) async fn connect(
    limits: Limits,
    mut answer: impl FnMut(&str, &Value) -> Answer + Send + 'static,
) -> Result<RemoteTools> {
    let (here, there) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        let (read, mut write) = tokio::io::split(there);
        let mut lines = BufReader::new(read).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let request: Value = serde_json::from_str(&line).unwrap();
            let Some(id) = request.get("id") else {
                continue;
            };
            let method = request["method"].as_str().unwrap_or_default();
            let answer = match method {
                "initialize" => Answer::Result(json!({
                    "protocolVersion": request["params"]["protocolVersion"],
                    "capabilities": {"tools": {"listChanged": true}},
                    "serverInfo": {"name": "fake", "version": "1"},
                })),
                _ => answer(method, &request["params"]),
            };
            let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
            let text = match answer {
                Answer::Result(result) => {
                    json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()
                }
                Answer::AfterChange(result) => {
                    format!(
                        "{changed}\n{}",
                        json!({"jsonrpc": "2.0", "id": id, "result": result})
                    )
                }
                Answer::Error(message) => json!({
                    "jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": message},
                })
                .to_string(),
                Answer::Silence => continue,
                Answer::Close => return,
                Answer::Endless => {
                    while write.write_all(&[b'x'; 4096]).await.is_ok() {}
                    return;
                }
            };
            if write
                .write_all(format!("{text}\n").as_bytes())
                .await
                .is_err()
            {
                return;
            }
        }
    });
    let (read, write) = tokio::io::split(here);
    RemoteTools::connect("fake", read, write, limits).await
}
