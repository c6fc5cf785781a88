//! Tools of a server over Streamable HTTP, on the loopback interface.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use prompt_core::{Result, ToTools, ToolCall};
use prompt_mcp::{HttpServer, Limits};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The requests of a client, each with its head and its body.
type Requests = Arc<Mutex<Vec<(String, Value)>>>;

/// What the server does with a call of a tool.
#[derive(Clone, Copy)]
enum OnCall {
    Json,
    Events,
    Long,
    Fail,
    /// An error of JSON-RPC.
    Refuse,
    /// A result that is an error of the tool.
    FailTool,
    /// A result that repeats the URL.
    Echo,
    Wait,
}

/// A server that knows one tool, and wants a token if there is one. Returns its URL.
async fn serve(token: Option<&'static str>, on_call: OnCall) -> (String, Requests) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!(
        "http://{}/s/s3cret-of-the-path/mcp?key=s3%2fcret&other=s3cret",
        listener.local_addr().unwrap()
    );
    let requests = Requests::default();
    let kept = Arc::clone(&requests);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let kept = Arc::clone(&kept);
            tokio::spawn(async move {
                let _ = answer(stream, &kept, token, on_call).await;
            });
        }
    });
    (url, requests)
}

async fn answer(
    mut stream: TcpStream,
    kept: &Requests,
    token: Option<&str>,
    on_call: OnCall,
) -> std::io::Result<()> {
    let mut received = Vec::new();
    let (head, length) = loop {
        if stream.read_buf(&mut received).await? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&received).into_owned();
        let Some(end) = text.find("\r\n\r\n") else {
            continue;
        };
        let head = text[..end].to_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        break (
            head.clone(),
            end + 4 + length.map_or(0, |length| length.parse().unwrap()),
        );
    };
    while received.len() < length {
        stream.read_buf(&mut received).await?;
    }
    let body = received.split_off(head.len() + 4);
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    kept.lock().unwrap().push((head.clone(), body.clone()));
    let is_allowed =
        token.is_none_or(|token| head.contains(&format!("authorization: bearer {token}")));
    let method = body["method"].as_str().unwrap_or_default();
    // Errors repeat the URL and the token.
    let echo = format!("{head}; the key is s3/cret, at mcp");
    let (status, kind, text) = match method {
        _ if !is_allowed => (401, "text/plain", echo),
        // The client would listen to messages that are not answers.
        "" => (405, "text/plain", String::new()),
        _ if body.get("id").is_none() => (202, "text/plain", String::new()),
        "initialize" => result(
            &body,
            &json!({
                "protocolVersion": body["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "fake", "version": "1"},
            }),
        ),
        "tools/list" => result(
            &body,
            &json!({"tools": [
                {"name": "depth", "description": echo, "inputSchema": schema_with(&echo)},
                {"name": "leak", "inputSchema": {"type": "object", "properties": {"t0ken-of-the-server": {}}}},
            ]}),
        ),
        "tools/call" => match on_call {
            OnCall::Json => result(&body, &content("81 m")),
            OnCall::Events => {
                let (status, _, text) = result(&body, &content("81 m"));
                (status, "text/event-stream", format!("data: {text}\n\n"))
            }
            OnCall::Long => result(&body, &content(&"x".repeat(100_000))),
            OnCall::Fail => (500, "text/plain", echo),
            OnCall::Refuse => {
                let error = json!({"code": -32602, "message": echo});
                let answer = json!({"jsonrpc": "2.0", "id": body["id"], "error": error});
                (200, "application/json", answer.to_string())
            }
            OnCall::FailTool => {
                let mut failed = content(&echo);
                failed["isError"] = json!(true);
                result(&body, &failed)
            }
            OnCall::Echo => {
                let mut echoed = content(&echo);
                echoed["structuredContent"] = json!({"url": echo});
                result(&body, &echoed)
            }
            OnCall::Wait => std::future::pending().await,
        },
        _ => (404, "text/plain", String::new()),
    };
    let answer = format!(
        "HTTP/1.1 {status} Status\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nmcp-session-id: s1\r\nconnection: close\r\n\r\n{text}",
        text.len()
    );
    stream.write_all(answer.as_bytes()).await
}

/// A schema that repeats a text in each place of one.
fn schema_with(text: &str) -> Value {
    let properties = json!({"at": {"title": text, "enum": [text, 1], "default": text}});
    let kinds = [json!({"description": text})];
    json!({"type": "object", "properties": properties, "allOf": kinds, "examples": [{"at": text}]})
}

fn content(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn result(request: &Value, result: &Value) -> (u16, &'static str, String) {
    let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
    (200, "application/json", answer.to_string())
}

fn limits() -> Limits {
    Limits {
        timeout: Duration::from_secs(2),
        max_message_bytes: 10_000,
    }
}

async fn call(url: &str) -> Result<String> {
    let server = HttpServer::new(url).bearer("t0ken").limits(limits());
    let tools = server.connect().await?;
    assert_eq!(tools.names().collect::<Vec<_>>(), ["depth", "leak"]);
    let called = tools.call(&ToolCall::new("c1", "depth", "{}")).await?;
    Ok(called.text().into_owned())
}

#[tokio::test]
async fn tools_of_a_server_by_its_url_are_called() {
    for on_call in [OnCall::Json, OnCall::Events] {
        let (url, requests) = serve(Some("t0ken"), on_call).await;
        assert_eq!(call(&url).await.unwrap(), "81 m");
        let requests = requests.lock().unwrap();
        let later = requests
            .iter()
            .filter(|(_, body)| body["method"] != "initialize");
        assert!(later.clone().count() >= 3, "{requests:?}");
        for (head, _) in later {
            assert!(head.contains("mcp-session-id: s1"), "{head}");
        }
    }
}

#[tokio::test]
async fn faults_of_a_server_by_its_url_are_errors() {
    // The token that the server wants, what it does, and a part of the error.
    for (token, on_call, message) in [
        (
            Some("another"),
            OnCall::Json,
            "the request `initialize` to the MCP server `127.0.0.1` failed",
        ),
        (None, OnCall::Long, "maximum size of 10000 bytes"),
        (
            None,
            OnCall::Fail,
            "the request `tools/call` to the MCP server `127.0.0.1` failed",
        ),
        (None, OnCall::Refuse, "post /s/[secret]/mcp?"),
        (None, OnCall::FailTool, "the key is [secret], at mcp"),
        (
            None,
            OnCall::Wait,
            "did not answer `tools/call` within 2s; raise `Limits::timeout`",
        ),
    ] {
        let (url, _) = serve(token, on_call).await;
        let error = call(&url).await.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        for secret in ["s3cret", "s3/cret", "s3%2fcret", "t0ken"] {
            assert!(!error.contains(secret), "{error}");
        }
    }
    let error = call("http://127.0.0.1:1/mcp?key=s3cret")
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("the request `initialize`") && !error.contains("s3cret"),
        "{error}"
    );
}

/// The model receives definitions and results, and so do recordings.
#[tokio::test]
async fn secrets_in_definitions_and_results_are_redacted() {
    let (url, _) = serve(None, OnCall::Echo).await;
    let server = HttpServer::new(&url)
        .bearer("t0ken-of-the-server")
        .limits(limits());
    let tools = server.connect().await.unwrap();
    let called = tools
        .call(&ToolCall::new("c1", "depth", "{}"))
        .await
        .unwrap();
    // A name cannot be redacted.
    let refused = tools.to_tools().unwrap_err();
    let message = "the tool `leak` of an MCP server cannot be offered to a model: the JSON Schema of its arguments contains a secret of the connection";
    assert!(refused.message().starts_with(message), "{refused}");
    let tools = tools.only(["depth"]).unwrap();
    let definitions = tools.to_tools().unwrap();
    let description = definitions[0].description().unwrap();
    let schema = definitions[0].parameters().unwrap().to_string();
    for text in [&*called.text(), &*description, &*schema] {
        for secret in ["t0ken-of-the-server", "s3cret-of-the-path"] {
            assert!(
                text.contains("[secret]") && !text.contains(secret),
                "{text}"
            );
        }
    }
    assert_eq!(called.text().matches("post /s/[secret]/mcp").count(), 2);
    assert_eq!(schema.matches("post /s/[secret]/mcp").count(), 5);
}

#[tokio::test]
async fn urls_that_would_expose_a_token_are_refused() {
    for (url, message) in [
        (
            "example.com/mcp",
            "does not begin with `https://` or `http://`",
        ),
        (
            "http://example.com/mcp",
            "the token would be sent without encryption to `example.com`",
        ),
        (
            "https://user:s3cret@example.com/mcp",
            "contains a user name or a password",
        ),
    ] {
        let error = call(url).await.unwrap_err().to_string();
        assert!(
            error.contains(message) && !error.contains("s3cret"),
            "{error}"
        );
    }
}
