//! An MCP server at a URL, over the Streamable HTTP transport.

use std::fmt;

use prompt_base::host::is_loopback;
use prompt_client::reqwest::Url;
use prompt_core::Result;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use crate::connection::{Connection, Limits, server_error};
use crate::remote_tools::RemoteTools;
use crate::secrets::secrets_of_url;

/// An MCP server at a URL, over the Streamable HTTP transport. Feature `mcp-http`.
///
/// The token is sent to this server only: redirects are not followed, and a token is not sent over `http://` to another machine.
///
/// ```no_run
/// use typed_prompt::mcp::HttpServer;
///
/// # async fn example() -> typed_prompt::Result<()> {
/// let token = std::env::var("WIKI_TOKEN").unwrap_or_default();
/// let tools = HttpServer::new("https://wiki.example.com/mcp").bearer(token).connect().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "nothing is served before it is given connections"]
pub struct HttpServer {
    url: String,
    token: Option<String>,
    limits: Limits,
}

impl HttpServer {
    /// A server by the URL of its MCP endpoint, such as `https://example.com/mcp`.
    ///
    /// ```
    /// use typed_prompt::mcp::HttpServer;
    ///
    /// let server = HttpServer::new("https://example.com/mcp?key=s3cret");
    /// assert!(!format!("{server:?}").contains("s3cret"));
    /// ```
    pub fn new(url: impl Into<String>) -> HttpServer {
        HttpServer {
            url: url.into(),
            token: None,
            limits: Limits::default(),
        }
    }

    /// Sets the token that is sent in the header `Authorization`, after `Bearer`.
    ///
    /// ```
    /// let server = typed_prompt::mcp::HttpServer::new("https://example.com/mcp").bearer("s3cret");
    /// assert!(!format!("{server:?}").contains("s3cret"));
    /// ```
    pub fn bearer(mut self, token: impl Into<String>) -> HttpServer {
        self.token = Some(token.into());
        self
    }

    /// Sets the limits of the connection.
    ///
    /// ```
    /// use typed_prompt::mcp::{HttpServer, Limits};
    ///
    /// let limits = Limits { max_message_bytes: 1 << 20, ..Limits::default() };
    /// let server = HttpServer::new("https://example.com/mcp").limits(limits);
    /// ```
    pub fn limits(mut self, limits: Limits) -> HttpServer {
        self.limits = limits;
        self
    }

    /// Connects to the server, and lists its tools. Call it inside a Tokio runtime.
    ///
    /// If the process has no default implementation of cryptography for rustls, `ring` is installed as the default, as by
    /// `client::http_client_builder`.
    ///
    /// ```no_run
    /// use typed_prompt::mcp::HttpServer;
    ///
    /// # async fn example() -> typed_prompt::Result<()> {
    /// let tools = HttpServer::new("http://localhost:8000/mcp").connect().await?;
    /// println!("{:?}", tools.names().collect::<Vec<_>>());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The URL is not one of HTTP, a token would be sent without encryption to another machine, the server cannot be reached, refuses the connection, does not answer
    /// in time, or its answer is not valid MCP.
    pub async fn connect(self) -> Result<RemoteTools> {
        let url = self.check_url()?;
        let host = host_of(&url).to_owned();
        let client = prompt_client::http_client_builder().build();
        let client = client
            .map_err(|error| server_error(format!("the HTTP client cannot be built: {error}")))?;
        let max = self.limits.max_message_bytes;
        let secrets = secrets_of_url(&url, self.token.as_deref());
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url);
        config.auth_header = self.token;
        config.max_sse_event_size = max;
        config.max_json_response_size = max;
        let transport = StreamableHttpClientTransport::with_client(client, config);
        let connection = Connection::open_http(host, secrets, transport, self.limits).await?;
        RemoteTools::from_connection(connection).await
    }

    /// The URL, if a request may be sent to it.
    fn check_url(&self) -> Result<Url> {
        let refuse = |message: String, help: &str| Err(server_error(message).with_help(help));
        let url = self.url.parse::<Url>().ok();
        let url = url.filter(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
        let Some(url) = url else {
            return refuse(
                "the URL of an MCP server does not begin with `https://` or `http://` and a host"
                    .to_owned(),
                "write the whole URL: `https://example.com/mcp`",
            );
        };
        if !url.username().is_empty() || url.password().is_some() {
            return refuse(
                "the URL of an MCP server contains a user name or a password".to_owned(),
                "use `.bearer(…)`",
            );
        }
        let host = host_of(&url);
        if self.token.is_some() && url.scheme() == "http" && !is_loopback(host) {
            return refuse(
                format!("the token would be sent without encryption to `{host}`"),
                "use an `https://` URL",
            );
        }
        Ok(url)
    }
}

fn host_of(url: &Url) -> &str {
    url.host_str().unwrap_or_default().trim_matches(['[', ']'])
}

impl fmt::Debug for HttpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServer")
            .field(
                "host",
                &self.check_url().as_ref().map(host_of).unwrap_or_default(),
            )
            .field("has_token", &self.token.is_some())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
