//! The tools of MCP servers: their definitions for a model, and calls of them.

use std::borrow::Cow;
use std::collections::HashMap;

use prompt_base::tool_name::{NAME_RULE, fault_of_name};
use prompt_core::{
    Error, ErrorKind, Json, JsonKind, Result, ToTools, Tool, ToolCall, ToolOutput, output::Schema,
};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, JsonObject, ListToolsRequest,
    PaginatedRequestParams, ServerResult, Tool as McpTool,
};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::Command;

use crate::connection::{Connection, Limits, server_error};
use crate::repeated_key;
use crate::tool_result::{output_of, tool_failure};

/// The tools of an MCP server, or of several, which a model may call in a [`ToolLoop`](prompt_core::ToolLoop).
///
/// They are a value for a prompt's field of tools. Names and descriptions are text of the server, and instruct the model: the `trusted` of the
/// field is the decision to obey this server.
///
/// ```no_run
/// use tokio::process::Command;
/// use typed_prompt::{Llm, MockLlm, Prompt, ToolCall, mcp::RemoteTools};
///
/// #[derive(Prompt)]
/// #[prompt(user = "<question>")]
/// struct Ask<'a> {
///     question: &'a str,
///     #[prompt(tools, trusted)]
///     tools: &'a RemoteTools,
/// }
///
/// # async fn example() -> typed_prompt::Result<()> {
/// let tools = RemoteTools::spawn(Command::new("weather-server")).await?;
/// let ask = Ask { question: "Do I need an umbrella in Paris?", tools: &tools };
/// let llm = MockLlm::new(["Yes."]);
/// let answer = llm
///     .with_own_tools(&ask)
///     .report_errors()
///     .answer(async |call: ToolCall| tools.call(&call).await)
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "remote tools are offered if a tool loop contains them"]
pub struct RemoteTools {
    servers: Vec<Connection>,
    tools: Vec<RemoteTool>,
}

#[derive(Debug)]
struct RemoteTool {
    /// The name for the model.
    name: String,
    /// The name at the server.
    remote_name: String,
    /// The index of the server.
    server: usize,
    /// The definition, or why a model cannot be given this tool.
    definition: Result<Tool>,
}

/// A server that lists more tools, or more pages of them, is broken or hostile.
const MAX_TOOLS: usize = 1_000;

impl RemoteTools {
    /// Starts a server as a child process, connects over its standard streams, and lists its tools.
    ///
    /// The process inherits standard error, and is killed when the value is dropped. Call it inside a Tokio runtime.
    ///
    /// # Errors
    /// The program cannot be started, closes the connection, does not answer in time, or its answer is not valid MCP.
    pub async fn spawn(command: Command) -> Result<RemoteTools> {
        RemoteTools::spawn_with(command, Limits::default()).await
    }

    /// [`spawn`](RemoteTools::spawn) with limits.
    ///
    /// # Errors
    /// As [`spawn`](RemoteTools::spawn).
    pub async fn spawn_with(command: Command, limits: Limits) -> Result<RemoteTools> {
        RemoteTools::from_connection(Connection::spawn(command, limits).await?).await
    }

    /// Connects to a server by a pair of streams, such as a socket, and lists its tools. `name` is the server's name in errors.
    ///
    /// # Errors
    /// As [`spawn`](RemoteTools::spawn).
    pub async fn connect(
        name: impl Into<String>,
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        limits: Limits,
    ) -> Result<RemoteTools> {
        RemoteTools::from_connection(
            Connection::open(name.into(), read, write, None, limits).await?,
        )
        .await
    }

    pub(crate) async fn from_connection(connection: Connection) -> Result<RemoteTools> {
        let listed = tokio::time::timeout(connection.timeout(), list_tools(&connection)).await;
        let tools = listed.map_err(|_| connection.timeout_error("tools/list"))??;
        let tools = RemoteTools {
            servers: vec![connection],
            tools,
        };
        tools.check_unique()?;
        Ok(tools)
    }

    /// Joins the tools of several servers.
    ///
    /// # Errors
    /// Two tools have the same name: use [`prefix`](RemoteTools::prefix).
    pub fn join(all: impl IntoIterator<Item = RemoteTools>) -> Result<RemoteTools> {
        let mut joined = RemoteTools {
            servers: Vec::new(),
            tools: Vec::new(),
        };
        for RemoteTools { servers, tools } in all {
            let offset = joined.servers.len();
            joined.servers.extend(servers);
            joined
                .tools
                .extend(tools.into_iter().map(|tool| RemoteTool {
                    server: tool.server + offset,
                    ..tool
                }));
        }
        joined.check_unique()?;
        Ok(joined)
    }

    fn check_unique(&self) -> Result<()> {
        let mut seen = HashMap::new();
        for tool in &self.tools {
            let Some(first) = seen.insert(&tool.name, tool.server) else {
                continue;
            };
            let (name, server) = (&tool.name, &self.servers[tool.server].name);
            if first == tool.server {
                return Err(server_error(format!(
                    "the MCP server `{server}` lists the tool `{name}` twice"
                )));
            }
            let other = &self.servers[first].name;
            return Err(server_error(format!(
                "the MCP servers `{other}` and `{server}` both have a tool `{name}`"
            ))
            .with_help("give one of them a prefix: `tools.prefix(\"files_\")`"));
        }
        Ok(())
    }

    /// Offers only the tools with these names, in the order of the server. Tools that the server adds later are not offered either.
    ///
    /// # Errors
    /// A name that no tool has.
    pub fn only<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Result<RemoteTools> {
        let names: Vec<&str> = names.into_iter().collect();
        let known: Vec<&str> = self.names().collect();
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            return Err(Error::unknown_name("tool", name, &known));
        }
        self.tools.retain(|tool| names.contains(&&*tool.name));
        Ok(self)
    }

    /// Puts a prefix before the names that the model reads and calls.
    pub fn prefix(mut self, prefix: &str) -> RemoteTools {
        for tool in &mut self.tools {
            tool.name.insert_str(0, prefix);
            if let Ok(definition) = &tool.definition {
                tool.definition = rename_tool(definition, &tool.name);
            }
        }
        self
    }

    /// Returns the names of the tools, as the model reads them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| &*tool.name)
    }

    /// Returns whether a server announced that its list of tools changed.
    ///
    /// The tools stay those that were listed when the connection was made, so that a server cannot change the text that was trusted. Connect
    /// again to read the new list. A call of a tool that the server has removed is an error of the server.
    pub fn have_changed(&self) -> bool {
        self.servers.iter().any(Connection::tools_changed)
    }

    /// Calls a tool at its server, and returns its result: text, images, audio and files.
    ///
    /// The arguments are sent as the model wrote them; the server checks them. Several text blocks are joined by line breaks. A resource of bytes is an image,
    /// audio, a video or a file by its MIME type; any other resource, and a link, is written as its JSON. Media that the provider of the model does not
    /// accept in the result of a tool are an error of the next request. Calls may run at the same time.
    ///
    /// # Errors
    /// No tool has this name; arguments that are not a JSON object; a result that the server marks as an error, with its text; media that are not base 64; a server that closed the connection, does not answer in time, or sends too much. In a loop with
    /// [`report_errors`](prompt_core::ToolLoop::report_errors) the model receives the error.
    pub async fn call(&self, call: &ToolCall) -> Result<ToolOutput> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name == call.name) else {
            return Err(call.unknown(self.names()));
        };
        let request = CallToolRequestParams::new(tool.remote_name.clone())
            .with_arguments(parse_arguments(call)?);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(request));
        let server = &self.servers[tool.server];
        match server.send_request("tools/call", request).await? {
            Ok(ServerResult::CallToolResult(result)) => {
                let redact = |text: &str| server.redact_result_text(text);
                let output = output_of(&call.name, result, redact);
                output.map_err(|error| server.redact_error(&error))
            }
            // A result without a field is that of a tool that returns nothing.
            Ok(ServerResult::EmptyResult(_)) => Ok(ToolOutput::from("")),
            Ok(ServerResult::InputRequiredResult(_)) => Err(tool_failure(
                &call.name,
                "it asks for input of the user, which is not supported",
            )),
            Ok(_) => Err(server.malformed_error("tools/call")),
            Err(message) => Err(tool_failure(&call.name, &message)),
        }
    }
}

/// The tools' definitions.
///
/// # Errors
/// A tool that a model cannot be given: its name, or the JSON Schema of its arguments. [`RemoteTools::only`] leaves it out.
impl ToTools for RemoteTools {
    fn to_tools(&self) -> Result<Cow<'_, [Tool]>> {
        let definitions = self.tools.iter().map(|tool| tool.definition.clone());
        Ok(Cow::Owned(definitions.collect::<Result<_>>()?))
    }
}

/// Lists all pages.
async fn list_tools(connection: &Connection) -> Result<Vec<RemoteTool>> {
    let mut tools = Vec::new();
    let mut cursor = None;
    for _ in 0..MAX_TOOLS {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
        let answer = match connection.send_request("tools/list", request).await? {
            Ok(answer) => answer,
            Err(message) => {
                let name = &connection.name;
                return Err(server_error(format!(
                    "the MCP server `{name}` does not list its tools: {message}"
                )));
            }
        };
        match answer {
            ServerResult::ListToolsResult(page) => {
                tools.extend(
                    page.tools
                        .iter()
                        .map(|tool| remote_tool(tool, tool_definition(tool, connection))),
                );
                cursor = page.next_cursor;
            }
            // A page with a tool that does not fit: the others can be used.
            ServerResult::CustomResult(page) => {
                let Some(items) = page.0.get("tools").and_then(Value::as_array) else {
                    return Err(connection.malformed_error("tools/list"));
                };
                for item in items {
                    tools.push(
                        malformed_tool(item, connection)
                            .ok_or_else(|| connection.malformed_error("tools/list"))?,
                    );
                }
                cursor = match page.0.get("nextCursor") {
                    None | Some(Value::Null) => None,
                    Some(Value::String(cursor)) => Some(cursor.clone()),
                    Some(_) => return Err(connection.malformed_error("tools/list")),
                };
            }
            _ => return Err(connection.malformed_error("tools/list")),
        }
        if tools.len() > MAX_TOOLS {
            break;
        }
        if cursor.is_none() {
            for tool in &mut tools {
                if let Err(error) = &mut tool.definition {
                    *error = connection.redact_error(error);
                }
            }
            return Ok(tools);
        }
    }
    Err(server_error(format!(
        "the MCP server `{}` lists more than {MAX_TOOLS} tools",
        connection.name
    )))
}

fn remote_tool(tool: &McpTool, definition: Result<Tool>) -> RemoteTool {
    RemoteTool {
        name: tool.name.to_string(),
        remote_name: tool.name.to_string(),
        server: 0,
        definition,
    }
}

/// A tool of a page that is not valid as a whole. `None` for an item without a name.
fn malformed_tool(item: &Value, connection: &Connection) -> Option<RemoteTool> {
    let name = item.get("name")?.as_str()?.to_owned();
    Some(match serde_json::from_value::<McpTool>(item.clone()) {
        Ok(tool) => remote_tool(&tool, tool_definition(&tool, connection)),
        Err(error) => RemoteTool {
            definition: Err(unusable_tool(
                &name,
                &format!("its definition is not valid: {error}"),
            )),
            remote_name: name.clone(),
            name,
            server: 0,
        },
    })
}

/// The definition for a model, with the schema as the server wrote it, apart from secrets in its texts.
fn tool_definition(tool: &McpTool, connection: &Connection) -> Result<Tool> {
    let name = &tool.name;
    check_name(name)?;
    let redact = |text: &str| connection.redact_result_text(text);
    let schema = Value::Object(JsonObject::clone(&tool.input_schema));
    let schema = without_secrets(&schema, &redact).ok_or_else(|| {
        let why = "the JSON Schema of its arguments contains a secret of the connection in a name or a number";
        unusable_tool(name, why)
    })?;
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err(unusable_tool(
            name,
            "the JSON Schema of its arguments is not that of an object",
        ));
    }
    Schema::new(&without_patterns(&schema)).map_err(|error| {
        unusable_tool(name, &format!("the JSON Schema of its arguments: {error}"))
    })?;
    let definition = Tool::new(&**name).with_parameters(Json::from(schema));
    Ok(match &tool.description {
        Some(text) => definition.with_description(&redact(text)),
        None => definition,
    })
}

/// A schema with redacted texts. `None` if a key or a number contains a secret: another one would be another schema.
fn without_secrets(schema: &Value, redact: &impl Fn(&str) -> String) -> Option<Value> {
    Some(match schema {
        Value::Object(entries) => {
            let entry = |(key, value): (&String, _)| {
                let value = without_secrets(value, redact)?;
                (redact(key) == *key).then(|| (key.clone(), value))
            };
            entries.iter().map(entry).collect::<Option<_>>()?
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| without_secrets(item, redact));
            items.collect::<Option<_>>()?
        }
        Value::String(text) => Value::String(redact(text)),
        Value::Number(number) => {
            let text = number.to_string();
            (redact(&text) == text).then(|| schema.clone())?
        }
        other => other.clone(),
    })
}

/// Patterns are regular expressions of the server's language, and checked by the server.
fn without_patterns(schema: &Value) -> Value {
    match schema {
        Value::Object(entries) => entries
            .iter()
            .filter(|(key, value)| !(*key == "pattern" && value.is_string()))
            .filter(|(key, _)| *key != "patternProperties")
            .map(|(key, value)| (key.clone(), without_patterns(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_patterns).collect(),
        other => other.clone(),
    }
}

fn rename_tool(definition: &Tool, name: &str) -> Result<Tool> {
    check_name(name)?;
    let mut tool = Tool::new(name);
    if let Some(text) = definition.description() {
        tool = tool.with_description(&text);
    }
    Ok(match definition.parameters() {
        Some(schema) => tool.with_parameters(schema.clone()),
        None => tool,
    })
}

fn check_name(name: &str) -> Result<()> {
    match fault_of_name(name) {
        Some(fault) => Err(unusable_tool(
            name,
            &format!("its name {fault}, and model providers take {NAME_RULE}"),
        )),
        None => Ok(()),
    }
}

fn unusable_tool(name: &str, why: &str) -> Error {
    server_error(format!(
        "the tool `{name}` of an MCP server cannot be offered to a model: {why}"
    ))
    .with_help("name the tools to offer: `tools.only([\"…\"])`")
}

/// The arguments as the model wrote them.
fn parse_arguments(call: &ToolCall) -> Result<JsonObject> {
    let json = call.json()?;
    let why = if json.kind() != JsonKind::Object {
        format!("its arguments are {}, not an object", json.kind().name())
    } else if let Some(key) = repeated_key(&json) {
        format!("its arguments contain `{key}` twice")
    } else {
        return json.deserialize_as();
    };
    let message = format!("the call of `{}` does not fit: {why}", call.name);
    Err(Error::new(ErrorKind::Output, message).with_answer(call.arguments.as_str()))
}
