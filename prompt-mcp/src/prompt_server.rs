//! A server of the program's prompts.

use std::fmt;

use prompt_base::tool_name::snake_case;
use prompt_core::{Error, ErrorKind, Messages, Prompt, Result};
use rmcp::model::{
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation, JsonObject,
    ListPromptsResult, MetaObject, PaginatedRequestParams, Prompt as McpPrompt, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{QuitReason, RequestContext, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::arguments::{ArgumentReader, PromptArguments};
use crate::connection::server_error;
use crate::prompt_messages::prompt_messages;

/// A server that offers prompts to MCP clients.
///
/// A prompt has the name of its type, in snake case, and the description in its doc comment. Its arguments are the fields, with their
/// doc comments. MCP's arguments are strings: an argument is that string if its type accepts it, and is read as JSON otherwise.
///
/// ```no_run
/// use typed_prompt::{Prompt, mcp::PromptServer};
///
/// /// Explains a word.
/// #[derive(Prompt, serde::Deserialize, schemars::JsonSchema)]
/// #[prompt(user = "Explain <word> in <sentences> sentences.")]
/// struct Explain {
///     /// A word of any language.
///     word: String,
///     sentences: u8,
/// }
///
/// # async fn example() -> typed_prompt::Result<()> {
/// PromptServer::new("words", env!("CARGO_PKG_VERSION")).prompt::<Explain>().serve_stdio().await
/// # }
/// ```
#[must_use = "nothing is served before `serve`"]
pub struct PromptServer {
    name: String,
    version: String,
    prompts: Vec<ServedPrompt>,
    /// The first error of a prompt, which `serve` returns.
    fault: Option<Error>,
}

struct ServedPrompt {
    definition: McpPrompt,
    output_schema: Option<serde_json::Value>,
    render: Box<dyn Fn(Option<JsonObject>) -> Result<Messages> + Send + Sync>,
}

impl PromptServer {
    /// A server with the name and version that clients show.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> PromptServer {
        PromptServer {
            name: name.into(),
            version: version.into(),
            prompts: Vec::new(),
            fault: None,
        }
    }

    /// Adds a prompt whose fields are filled by clients.
    ///
    /// Clients are end users: a prompt with a field that is marked `trusted` is an error of [`serve`](PromptServer::serve). Fill that field in the program, by
    /// [`prompt_from`](PromptServer::prompt_from), or name it in [`prompt_trusting`](PromptServer::prompt_trusting).
    pub fn prompt<P: Prompt + PromptArguments>(self) -> PromptServer {
        self.prompt_trusting::<P>(&[])
    }

    /// [`prompt`](PromptServer::prompt) for a prompt with trusted fields, all of which clients may fill.
    ///
    /// The names are the decision: a client that can connect to the server writes these parts of the instructions.
    ///
    /// ```
    /// use typed_prompt::{Prompt, mcp::PromptServer};
    ///
    /// #[derive(Prompt, serde::Deserialize, schemars::JsonSchema)]
    /// #[prompt(system = "Translate into <language>.", user = "<text>")]
    /// struct Translate {
    ///     #[prompt(trusted)]
    ///     language: String,
    ///     text: String,
    /// }
    ///
    /// let server = PromptServer::new("words", "1.0").prompt_trusting::<Translate>(&["language"]);
    /// ```
    pub fn prompt_trusting<P: Prompt + PromptArguments>(self, fields: &[&str]) -> PromptServer {
        let trusted = P::INFO.trusted;
        if let Some(field) = trusted.iter().find(|field| !fields.contains(field)) {
            let prompt = P::INFO.name;
            return self.prompt_failure(Error::new(
                ErrorKind::Value,
                format!("the field `{field}` of `{prompt}` is trusted, and an MCP client would fill it"),
            )
            .with_help(format!(
                "fill it in the program: `prompt_from(|arguments: …| Ok({prompt} {{ … }}))`, or let clients write it: `prompt_trusting::<{prompt}>(&[\"{field}\"])`"
            )));
        }
        if let Some(field) = fields.iter().find(|field| !trusted.contains(field)) {
            let what = format!("trusted field of `{}`", P::INFO.name);
            return self.prompt_failure(Error::unknown_name(&what, field, trusted));
        }
        self.prompt_from(|prompt: P| Ok(prompt))
    }

    /// Adds a prompt that the program makes from the arguments of a client.
    ///
    /// ```
    /// use typed_prompt::{Prompt, mcp::PromptServer};
    ///
    /// #[derive(Prompt)]
    /// #[prompt(system = "You answer for <product>.", user = "<question>")]
    /// struct Ask<'a> {
    ///     #[prompt(trusted)]
    ///     product: &'a str,
    ///     question: String,
    /// }
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Question {
    ///     question: String,
    /// }
    ///
    /// let server = PromptServer::new("help", "1.0")
    ///     .prompt_from(|Question { question }| Ok(Ask { product: "Acme Cloud", question }));
    /// ```
    ///
    /// The error of the function is the answer to the client.
    pub fn prompt_from<A: PromptArguments, P: Prompt>(
        mut self,
        prompt: impl Fn(A) -> Result<P> + Send + Sync + 'static,
    ) -> PromptServer {
        let name = snake_case(P::INFO.name);
        if self.find_prompt(&name).is_some() {
            return self.prompt_failure(
                server_error(format!("two prompts have the name `{name}`"))
                    .with_help("rename one of the types"),
            );
        }
        let arguments = match ArgumentReader::from_arguments::<A>(&name) {
            Ok(arguments) => arguments,
            Err(error) => return self.prompt_failure(error),
        };
        let description = Some(P::INFO.doc.trim()).filter(|doc| !doc.is_empty());
        self.prompts.push(ServedPrompt {
            definition: McpPrompt::new(name, description, Some(arguments.argument_definitions())),
            output_schema: P::output_schema(),
            render: Box::new(move |given| prompt(arguments.read_arguments(given)?)?.messages()),
        });
        self
    }

    fn prompt_failure(mut self, error: Error) -> PromptServer {
        self.fault.get_or_insert(error);
        self
    }

    fn find_prompt(&self, name: &str) -> Option<&ServedPrompt> {
        self.prompts
            .iter()
            .find(|prompt| prompt.definition.name == name)
    }

    /// Serves the standard streams until the client closes them. The program must not print to standard output meanwhile.
    ///
    /// # Errors
    /// As [`serve`](PromptServer::serve).
    pub async fn serve_stdio(self) -> Result<()> {
        self.serve(tokio::io::stdin(), tokio::io::stdout()).await
    }

    /// Serves a pair of streams, such as a socket, until the client closes them.
    ///
    /// # Errors
    /// A prompt that cannot be served: its arguments are not the fields of a struct, a client would fill a trusted field, or two prompts have one
    /// name. A connection that is closed before the client is initialized, and a client that does not speak MCP.
    pub async fn serve(
        mut self,
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Result<()> {
        if let Some(error) = self.fault.take() {
            return Err(error);
        }
        let service = self.serve_transport(read, write).await?;
        match service.waiting().await {
            Ok(QuitReason::JoinError(error)) | Err(error) => {
                Err(server_error(format!("the MCP server stopped: {error}")))
            }
            Ok(_) => Ok(()),
        }
    }

    async fn serve_transport(
        self,
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Result<rmcp::service::RunningService<RoleServer, PromptServer>> {
        let transport = AsyncRwTransport::new_server(read, write);
        ServiceExt::<RoleServer>::serve(self, transport)
            .await
            .map_err(|error| {
                server_error(match error {
                    ServerInitializeError::ConnectionClosed(_) => {
                        "the MCP client closed the connection before it was initialized".to_owned()
                    }
                    other => format!("the MCP client cannot be served: {other}"),
                })
            })
    }

    fn get_messages(
        &self,
        request: GetPromptRequestParams,
    ) -> std::result::Result<GetPromptResult, ErrorData> {
        let invalid = |error: Error| ErrorData::invalid_params(error.to_string(), None);
        let Some(prompt) = self.find_prompt(&request.name) else {
            let known = self.prompts.iter().map(|prompt| &*prompt.definition.name);
            let known: Vec<&str> = known.collect();
            return Err(invalid(Error::unknown_name(
                "prompt",
                &request.name,
                &known,
            )));
        };
        let messages = (prompt.render)(request.arguments).map_err(invalid)?;
        let messages = prompt_messages(&messages)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let mut result = GetPromptResult::new(messages);
        result.description = prompt.definition.description.clone();
        if let Some(schema) = &prompt.output_schema {
            let mut meta = JsonObject::new();
            meta.insert("typed-prompt/output-schema".to_owned(), schema.clone());
            result.meta = Some(MetaObject(meta));
        }
        Ok(result)
    }
}

impl ServerHandler for PromptServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_prompts().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(&*self.name, &*self.version))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListPromptsResult, ErrorData> {
        let prompts = self.prompts.iter().map(|prompt| prompt.definition.clone());
        Ok(ListPromptsResult::with_all_items(prompts.collect()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<GetPromptResponse, ErrorData> {
        self.get_messages(request).map(GetPromptResponse::Complete)
    }
}

impl fmt::Debug for PromptServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.prompts.iter().map(|prompt| &prompt.definition.name);
        f.debug_struct("PromptServer")
            .field("name", &self.name)
            .field("prompts", &names.collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
