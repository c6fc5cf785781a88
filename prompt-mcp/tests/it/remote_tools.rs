//! Tools of a server: listed, offered and called, also with a faulty or hostile server.

use std::time::Duration;

use prompt_core::{
    ErrorKind, Llm, MediaSource, Message, Messages, MockLlm, Part, Reply, Result, ToTools,
    ToolCall, ToolOutput,
};
use prompt_mcp::{Limits, RemoteTools};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::fake_server::{Answer, connect};

fn tool(name: &str) -> Value {
    json!({
        "name": name,
        "description": format!("Does {name}."),
        "inputSchema": {"type": "object", "properties": {"b": {"type": "integer"}, "a": {"type": "string"}}, "required": ["b"]},
    })
}

/// Connects to a server with these tools that answers each call with `answer`.
async fn with_tools(
    tools: Value,
    mut answer: impl FnMut(&Value) -> Answer + Send + 'static,
) -> Result<RemoteTools> {
    let limits = Limits {
        timeout: Duration::from_secs(5),
        max_message_bytes: 100_000,
    };
    connect(limits, move |method, params| match method {
        "tools/list" => Answer::Result(json!({"tools": tools})),
        _ => answer(params),
    })
    .await
}

fn no_calls(_: &Value) -> Answer {
    Answer::Error("no call was expected")
}

fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall::new("c1", name, arguments)
}

#[tokio::test]
async fn a_model_calls_a_tool_of_the_server() -> Result<()> {
    let tools = with_tools(json!([tool("add")]), |params| {
        assert_eq!(params["name"], "add");
        assert_eq!(params["arguments"].to_string(), r#"{"b":1,"a":"{x}"}"#);
        Answer::Result(
            json!({"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}),
        )
    })
    .await?;
    let definitions = tools.to_tools()?;
    assert_eq!(
        definitions[0].to_json().as_str(),
        r#"{"type":"function","function":{"name":"add","parameters":{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string"}},"required":["b"]},"description":"Does add."}}"#
    );
    let ask = Messages::from([Message::user("Add.")]).with_tool(definitions[0].clone());
    let llm = MockLlm::new([
        Reply::calls([call("add", r#"{"b": 1, "a": "{x}"}"#)]),
        Reply::new("Done."),
    ]);
    let answer = llm.with_own_tools(&ask);
    let answer = answer.answer(async |call: ToolCall| tools.call(&call).await);
    assert_eq!(answer.await?, "Done.");
    let result = llm.requests()[1].messages.last().unwrap().clone();
    assert_eq!(result.text(), "one\ntwo");
    Ok(())
}

/// The texts and the media of a result.
fn show(output: &ToolOutput) -> String {
    let parts = output.parts().iter().map(|part| match part {
        Part::Text(text) => text.as_str().to_owned(),
        Part::Media(media) => match (media.source(), media.name()) {
            (MediaSource::Base64 { mime, .. }, None) => format!("[{mime}]"),
            (MediaSource::Base64 { mime, .. }, Some(name)) => format!("[{mime} {name}]"),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    });
    parts.collect()
}

#[tokio::test]
async fn results_are_text_media_or_an_error() -> Result<()> {
    let link = r#"{"type":"resource_link","uri":"file:///a","name":"a"}"#;
    let resource = r#"{"type":"resource","resource":{"uri":"file:///a","text":"x"}}"#;
    let cases: Vec<(Value, std::result::Result<&str, &str>)> = vec![
        (json!({"content": []}), Ok("")),
        (
            json!({"content": [{"type": "text", "text": "a\nb"}]}),
            Ok("a\nb"),
        ),
        (
            json!({"content": [], "structuredContent": {"n": 1}}),
            Ok(r#"{"n":1}"#),
        ),
        (
            json!({"content": [{"type": "text", "text": "{ \"n\": 1 }"}], "structuredContent": {"n": 1}}),
            Ok("{ \"n\": 1 }"),
        ),
        (
            json!({"content": [{"type": "text", "text": "five"}], "structuredContent": {"result": "five"}}),
            Ok("five"),
        ),
        (
            json!({"content": [{"type": "text", "text": "about 1"}], "structuredContent": {"n": 1}}),
            Ok("about 1\n{\"n\":1}"),
        ),
        (
            json!({"content": [serde_json::from_str::<Value>(link).unwrap()]}),
            Ok(link),
        ),
        (
            json!({"content": [serde_json::from_str::<Value>(resource).unwrap()]}),
            Ok(resource),
        ),
        (
            json!({"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]}),
            Ok("[image/png]"),
        ),
        (
            json!({"content": [{"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}]}),
            Ok("[audio/wav]"),
        ),
        (
            json!({"content": [
                {"type": "text", "text": "The chart:"},
                {"type": "text", "text": "of depths"},
                {"type": "image", "data": "aGk=", "mimeType": "image/png"},
                {"type": "resource", "resource": {"uri": "file:///a/plan.pdf", "mimeType": "application/pdf", "blob": "aGk="}},
                {"type": "text", "text": "That is all."},
            ], "structuredContent": {"n": 1}}),
            Ok("The chart:\nof depths[image/png][application/pdf plan.pdf]That is all.\n{\"n\":1}"),
        ),
        (
            json!({"content": [{"type": "resource", "resource": {"uri": "a", "blob": "aGk="}}]}),
            Ok(r#"{"type":"resource","resource":{"uri":"a","blob":"aGk="}}"#),
        ),
        (
            json!({"content": [{"type": "image", "data": "a*", "mimeType": "image/png"}]}),
            Err(
                "the result of the tool `get` cannot be read: this is not base 64: byte 1 is not one of its letters",
            ),
        ),
        (
            json!({"content": [{"type": "image", "data": "aGk=", "mimeType": "png"}]}),
            Err("the result of the tool `get` cannot be read: `png` is not a MIME type"),
        ),
        (
            json!({"content": [{"type": "text", "text": "no such city"}], "isError": true}),
            Err("the tool `get` failed: no such city"),
        ),
        (
            json!({"content": [{"type": "hologram", "data": "aGk="}]}),
            Err("the answer of `fake` to `tools/call` is not valid MCP"),
        ),
        (
            json!({"content": "text"}),
            Err("the answer of `fake` to `tools/call` is not valid MCP"),
        ),
        (
            json!(7),
            Err("the answer of `fake` to `tools/call` is not valid MCP"),
        ),
    ];
    for (result, expected) in cases {
        let shown = result.to_string();
        let tools = with_tools(json!([tool("get")]), move |_| {
            Answer::Result(result.clone())
        })
        .await?;
        let output = tools.call(&call("get", "{}")).await;
        let shown_output = output.as_ref().map(show);
        let found = shown_output.map_err(|error| error.message().to_owned());
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(found, expected, "{shown}");
    }
    Ok(())
}

#[tokio::test]
async fn a_failed_tool_is_reported_to_the_model() -> Result<()> {
    let tools = with_tools(json!([tool("get")]), |_| Answer::Error("b is required")).await?;
    let ask = Messages::from([Message::user("?")]).with_tool(tools.to_tools()?[0].clone());
    let calls = || [Reply::calls([call("get", "{}")]), Reply::new("It failed.")];
    let llm = MockLlm::new(calls());
    let asked = llm.with_own_tools(&ask).report_errors();
    let asked = asked.answer(async |call: ToolCall| tools.call(&call).await);
    assert_eq!(asked.await?, "It failed.");
    let told = llm.requests()[1].messages.last().unwrap().clone();
    assert_eq!(told.text(), "error: the tool `get` failed: b is required");
    let llm = MockLlm::new(calls());
    let asked = llm.with_own_tools(&ask);
    let asked = asked.answer(async |call: ToolCall| tools.call(&call).await);
    assert_eq!(
        asked.await.unwrap_err().message(),
        "the tool `get` failed: b is required"
    );
    Ok(())
}

#[tokio::test]
async fn calls_that_do_not_fit_are_not_sent() -> Result<()> {
    let tools = with_tools(json!([tool("get")]), no_calls).await?;
    for (name, arguments, expected) in [
        ("gett", "{}", "there is no tool `gett`; did you mean `get`?"),
        (
            "get",
            "[1]",
            "the call of `get` does not fit: its arguments are a list, not an object",
        ),
        (
            "get",
            r#"{"a": {"b": 1, "b": 2}}"#,
            "the call of `get` does not fit: its arguments contain `b` twice",
        ),
    ] {
        let error = tools.call(&call(name, arguments)).await.unwrap_err();
        assert_eq!(
            (error.to_string().as_str(), error.kind()),
            (expected, ErrorKind::Output)
        );
    }
    assert!(tools.call(&call("get", "{\"a\": ")).await.is_err());
    Ok(())
}

#[tokio::test]
async fn all_pages_are_listed() -> Result<()> {
    let tools = connect(Limits::default(), |_, params| {
        let page = params["cursor"]
            .as_str()
            .map_or(0, |cursor| cursor.parse().unwrap());
        let mut result = json!({"tools": [tool(&format!("tool{page}"))]});
        if page < 2 {
            result["nextCursor"] = json!((page + 1).to_string());
        }
        Answer::Result(result)
    })
    .await?;
    assert_eq!(
        tools.names().collect::<Vec<_>>(),
        ["tool0", "tool1", "tool2"]
    );
    let error = connect(Limits::default(), |_, _| {
        Answer::Result(json!({"tools": [], "nextCursor": "again"}))
    });
    assert_eq!(
        error.await.unwrap_err().message(),
        "the MCP server `fake` lists more than 1000 tools"
    );
    Ok(())
}

#[tokio::test]
async fn a_tool_that_cannot_be_offered_is_an_error_until_it_is_left_out() -> Result<()> {
    let schema = |schema: Value| json!({"name": "bad", "inputSchema": schema});
    for (bad, expected) in [
        (tool("read.file"), "its name holds `.`"),
        (
            schema(json!("object")),
            "its definition is not valid: invalid type: string \"object\", expected a map",
        ),
        (
            schema(json!({"type": "array"})),
            "the JSON Schema of its arguments is not that of an object",
        ),
        (
            schema(json!({"type": "object", "properties": {"a": {"type": "int"}}})),
            "the JSON Schema of its arguments: ",
        ),
    ] {
        let shown = bad.to_string();
        let tools = with_tools(json!([tool("good"), bad]), no_calls).await?;
        let error = tools.to_tools().unwrap_err();
        assert!(error.message().contains(expected), "{shown}: {error}");
        assert_eq!(
            error.help(),
            Some("name the tools to offer: `tools.only([\"…\"])`")
        );
        assert_eq!(tools.only(["good"])?.to_tools()?.len(), 1);
    }
    let lookahead = json!({"type": "object", "properties": {"pattern": {"type": "string", "pattern": "^(?=x)"}}});
    let tools = with_tools(json!([schema(lookahead.clone())]), no_calls).await?;
    assert_eq!(
        tools.to_tools()?[0].parameters().unwrap().as_str(),
        lookahead.to_string()
    );
    Ok(())
}

#[tokio::test]
async fn names_are_unique_among_servers() -> Result<()> {
    let error = with_tools(json!([tool("a"), tool("a")]), no_calls)
        .await
        .unwrap_err();
    assert_eq!(
        error.message(),
        "the MCP server `fake` lists the tool `a` twice"
    );
    let echo = |server: &'static str| {
        move |params: &Value| {
            let text = format!("{server}: {}", params["name"].as_str().unwrap());
            Answer::Result(json!({"content": [{"type": "text", "text": text}]}))
        }
    };
    let one = with_tools(json!([tool("a"), tool("b")]), echo("one")).await?;
    let two = with_tools(json!([tool("a")]), echo("two")).await?;
    let error = RemoteTools::join([one, two]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the MCP servers `fake` and `fake` both have a tool `a`; give one of them a prefix: `tools.prefix(\"files_\")`"
    );
    let one = with_tools(json!([tool("a"), tool("b")]), echo("one")).await?;
    let two = with_tools(json!([tool("a")]), echo("two"))
        .await?
        .prefix("two_");
    let tools = RemoteTools::join([one, two])?;
    assert_eq!(tools.names().collect::<Vec<_>>(), ["a", "b", "two_a"]);
    assert_eq!(tools.to_tools()?[2].name(), "two_a");
    assert_eq!(tools.call(&call("two_a", "{}")).await?.text(), "two: a");
    assert_eq!(tools.call(&call("b", "{}")).await?.text(), "one: b");
    let error = tools.only(["aa"]).unwrap_err();
    assert!(error.message().contains("`aa`"), "{error}");
    Ok(())
}

#[tokio::test]
async fn a_changed_list_does_not_change_the_offered_tools() -> Result<()> {
    let tools = with_tools(json!([tool("get")]), |_| {
        Answer::AfterChange(json!({"content": []}))
    })
    .await?;
    assert!(!tools.have_changed());
    tools.call(&call("get", "{}")).await?;
    assert!(tools.have_changed());
    assert_eq!(tools.names().collect::<Vec<_>>(), ["get"]);
    Ok(())
}

#[tokio::test]
async fn a_server_that_dies_hangs_or_floods_is_an_error() -> Result<()> {
    let limits = Limits {
        timeout: Duration::from_millis(200),
        max_message_bytes: 10_000,
    };
    let too_long =
        "the MCP server `fake` sent a message of more than 10000 bytes; the connection is closed";
    let closed = "the MCP server `fake` closed the connection";
    type Case = (fn() -> Answer, &'static str, &'static str);
    let cases: [Case; 5] = [
        (|| Answer::Close, closed, closed),
        (
            || Answer::Silence,
            "the MCP server `fake` did not answer `tools/call` within 200ms",
            "the MCP server `fake` did not answer `tools/call` within 200ms",
        ),
        (|| Answer::Endless, too_long, too_long),
        (
            || Answer::Result(json!({"content": [{"type": "text", "text": "x".repeat(20_000)}]})),
            too_long,
            too_long,
        ),
        (
            || Answer::Result(json!({"content": [{"type": "text", "text": "x".repeat(9_000)}]})),
            "",
            "",
        ),
    ];
    for (answer, first, second) in cases {
        let tools = connect(limits, move |method, _| match method {
            "tools/list" => Answer::Result(json!({"tools": [tool("get")]})),
            _ => answer(),
        })
        .await?;
        for expected in [first, second] {
            let result = tools.call(&call("get", "{}")).await;
            let message = result.err().map(|error| error.message().to_owned());
            assert_eq!(message.unwrap_or_default(), expected);
        }
        let list = connect(limits, move |_, _| answer()).await;
        assert!(list.is_err() || first.is_empty());
    }
    Ok(())
}

#[tokio::test]
async fn a_server_that_cannot_be_started_is_an_error() {
    let missing = RemoteTools::spawn(Command::new("/missing/server")).await;
    assert_eq!(
        missing.unwrap_err().to_string(),
        "the MCP server `/missing/server` cannot be started: No such file or directory (os error 2); \
         give a program that is installed, as its path or by a name that `PATH` finds"
    );
    let line = RemoteTools::spawn(Command::new("npx -y @scope/server")).await;
    assert_eq!(
        line.unwrap_err().to_string(),
        "the MCP server `npx -y @scope/server` cannot be started: No such file or directory (os error 2); \
         write `Command::new(\"npx\").args([\"-y\", \"@scope/server\"])`: a program is not a command line"
    );
    let mut exits = Command::new("sh");
    exits.args(["-c", "exit 3"]);
    let error = RemoteTools::spawn(exits).await.unwrap_err();
    assert!(
        error
            .message()
            .starts_with("the MCP server `sh` closed the connection"),
        "{error}"
    );
    assert!(error.help().unwrap().contains("standard error"));
    let mut talks = Command::new("sh");
    talks.args([
        "-c",
        "read line; echo '{\"jsonrpc\": \"2.0\", \"id\": 0, \"result\": 7}'; sleep 5",
    ]);
    let error = RemoteTools::spawn(talks).await.unwrap_err();
    assert_eq!(
        error.message(),
        "the answer of `sh` to `initialize` is not valid MCP"
    );
}
