//! A connection to an MCP server: its process, its limits, and requests with a deadline.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use prompt_core::{Error, ErrorKind, Result};
use rmcp::model::{ClientRequest, ServerResult};
use rmcp::service::{
    ClientInitializeError, NotificationContext, PeerRequestOptions, RunningService,
};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ClientHandler, RoleClient, ServiceError, ServiceExt};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::process::{Child, Command};
use tokio::sync::Mutex;

use crate::secrets::{Secrets, no_secrets};

/// The limits of a connection to an MCP server.
///
/// ```
/// use std::time::Duration;
/// use typed_prompt::mcp::Limits;
///
/// let limits = Limits { timeout: Duration::from_secs(5), ..Limits::default() };
/// assert_eq!(limits.max_message_bytes, 4 << 20);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest wait for the connection with the list of tools, and for the result of each call. One minute by default.
    pub timeout: Duration,
    /// The maximum size of a message of the server, such as the result of a call. 4 MiB by default. A longer message closes the connection.
    pub max_message_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            timeout: Duration::from_secs(60),
            max_message_bytes: 4 << 20,
        }
    }
}

/// A connection to one server. The process of the server, if it was started here, is killed on drop.
pub(crate) struct Connection {
    /// The name of the server in errors.
    pub(crate) name: String,
    service: RunningService<RoleClient, Handler>,
    child: Option<Mutex<Child>>,
    limits: Limits,
    state: Arc<ConnectionState>,
    secrets: Secrets,
    /// Whether the server has a URL: a request that fails does not close its connection.
    is_http: bool,
}

/// The state that the tasks of the connection share.
#[derive(Default)]
struct ConnectionState {
    tools_changed: AtomicBool,
    is_closed: AtomicBool,
    is_too_long: AtomicBool,
}

impl Connection {
    pub(crate) async fn spawn(mut command: Command, limits: Limits) -> Result<Connection> {
        let program = command
            .as_std()
            .get_program()
            .to_string_lossy()
            .into_owned();
        let name = program
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or(&program)
            .to_owned();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        let not_started = |error: io::Error| {
            let words: Vec<&str> = program.split_whitespace().collect();
            let help = match &words[..] {
                [first, arguments @ ..]
                    if !arguments.is_empty() && !first.contains(['/', '\\']) =>
                {
                    format!(
                        "write `Command::new({first:?}).args({arguments:?})`: a program is not a command line"
                    )
                }
                _ => "give a program that is installed, as its path or by a name that `PATH` finds"
                    .to_owned(),
            };
            server_error(format!(
                "the MCP server `{program}` cannot be started: {error}"
            ))
            .with_help(help)
        };
        let mut child = command.spawn().map_err(not_started)?;
        let (Some(read), Some(write)) = (child.stdout.take(), child.stdin.take()) else {
            return Err(not_started(io::Error::other("it has no standard streams")));
        };
        Connection::open(name, read, write, Some(Mutex::new(child)), limits).await
    }

    pub(crate) async fn open(
        name: String,
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        child: Option<Mutex<Child>>,
        limits: Limits,
    ) -> Result<Connection> {
        let state = Arc::new(ConnectionState::default());
        let read = LimitedLines {
            read,
            line: 0,
            max: limits.max_message_bytes,
            state: Arc::clone(&state),
        };
        // `LimitedLines` closes the connection before this limit of the transport, which would skip the message, applies.
        let transport = AsyncRwTransport::new_client(read, write).with_max_line_length(usize::MAX);
        let handler = Handler(Arc::clone(&state));
        let started = tokio::time::timeout(limits.timeout, handler.serve(transport)).await;
        let why = match started {
            Ok(Ok(service)) => {
                return Ok(Connection {
                    name,
                    service,
                    child,
                    limits,
                    state,
                    secrets: no_secrets(),
                    is_http: false,
                });
            }
            Ok(Err(
                ClientInitializeError::ConnectionClosed(_)
                | ClientInitializeError::TransportError { .. },
            )) => closed_error(&name, child.as_ref(), &state, limits).await,
            Ok(Err(ClientInitializeError::JsonRpcError(error))) => server_error(format!(
                "the MCP server `{name}` refused the connection: {}",
                error.message
            )),
            Ok(Err(_)) => server_error(format!(
                "the answer of `{name}` to `initialize` is not valid MCP"
            )),
            Err(_) => late(&name, "initialize", limits),
        };
        Err(match why.help() {
            Some(_) => why,
            None => why.with_help(
                "run the command in a terminal, and read what the server writes to standard error",
            ),
        })
    }

    /// Connects to a server by HTTP, whose host is its name.
    #[cfg(feature = "mcp-http")]
    pub(crate) async fn open_http<E>(
        name: String,
        secrets: Secrets,
        transport: impl rmcp::transport::Transport<RoleClient, Error = E> + 'static,
        limits: Limits,
    ) -> Result<Connection>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        let state = Arc::new(ConnectionState::default());
        let handler = Handler(Arc::clone(&state));
        let started = tokio::time::timeout(limits.timeout, handler.serve(transport)).await;
        match started {
            Ok(Ok(service)) => Ok(Connection {
                name,
                service,
                child: None,
                limits,
                state,
                secrets,
                is_http: true,
            }),
            Ok(Err(ClientInitializeError::JsonRpcError(error))) => Err(server_error(format!(
                "the MCP server `{name}` refused the connection: {}",
                secrets.redact_error_text(&error.message)
            ))),
            Ok(Err(error)) => Err(http_error(&name, "initialize", &error, &secrets)),
            Err(_) => Err(late(&name, "initialize", limits)),
        }
    }

    /// Sends a request, and waits for its result until the timeout. A request that the server refuses is `Err` with its message.
    pub(crate) async fn send_request(
        &self,
        method: &str,
        request: ClientRequest,
    ) -> Result<std::result::Result<ServerResult, String>> {
        let options = PeerRequestOptions::with_timeout(self.limits.timeout);
        let answer = match self
            .service
            .send_cancellable_request(request, options)
            .await
        {
            Ok(handle) => handle.await_response().await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(result) => Ok(Ok(result)),
            // What the connection answers in place of a server that closed it is such an error too.
            Err(ServiceError::McpError(error)) if !self.is_closed() => {
                Ok(Err(self.secrets.redact_error_text(&error.message)))
            }
            Err(ServiceError::Timeout { .. }) => Err(late(&self.name, method, self.limits)),
            Err(error) if self.is_http => {
                Err(http_error(&self.name, method, &error, &self.secrets))
            }
            Err(_) => {
                Err(closed_error(&self.name, self.child.as_ref(), &self.state, self.limits).await)
            }
        }
    }

    /// The error, whose message may contain text of the server, without the secrets of the connection.
    pub(crate) fn redact_error(&self, error: &Error) -> Error {
        let redacted = Error::new(
            error.kind(),
            self.secrets.redact_error_text(error.message()),
        );
        match error.help() {
            Some(help) => redacted.with_help(help),
            None => redacted,
        }
    }

    /// A text of the server for the model, without the secrets of the connection.
    pub(crate) fn redact_result_text(&self, text: &str) -> String {
        self.secrets.redact_result_text(text)
    }

    /// The error for an answer of a type that the request does not have.
    pub(crate) fn malformed_error(&self, method: &str) -> Error {
        server_error(format!(
            "the answer of `{}` to `{method}` is not valid MCP",
            self.name
        ))
    }

    pub(crate) fn tools_changed(&self) -> bool {
        self.state.tools_changed.load(Ordering::Relaxed)
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.limits.timeout
    }

    pub(crate) fn timeout_error(&self, method: &str) -> Error {
        late(&self.name, method, self.limits)
    }

    fn is_closed(&self) -> bool {
        self.state.is_closed.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

pub(crate) fn server_error(message: String) -> Error {
    Error::new(ErrorKind::Tool, message)
}

fn late(name: &str, method: &str, limits: Limits) -> Error {
    server_error(format!(
        "the MCP server `{name}` did not answer `{method}` within {:?}",
        limits.timeout
    ))
    .with_help("raise `Limits::timeout`")
}

/// The error of a request over HTTP, with its causes.
fn http_error(name: &str, method: &str, error: &dyn std::error::Error, secrets: &Secrets) -> Error {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    server_error(format!(
        "the request `{method}` to the MCP server `{name}` failed: {}",
        without_urls(&secrets.redact_error_text(&text))
    ))
}

/// The text without URLs, whose queries may contain keys.
fn without_urls(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.contains("://") {
        true => "…",
        false => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

async fn closed_error(
    name: &str,
    child: Option<&Mutex<Child>>,
    state: &ConnectionState,
    limits: Limits,
) -> Error {
    if state.is_too_long.load(Ordering::Relaxed) {
        let max = limits.max_message_bytes;
        return server_error(format!(
            "the MCP server `{name}` sent a message of more than {max} bytes; the connection is closed"
        ))
        .with_help("raise `Limits::max_message_bytes`, or let the tool return less");
    }
    // The process may still be exiting.
    let status = match child {
        Some(child) => {
            let mut child = child.lock().await;
            let exit = tokio::time::timeout(Duration::from_millis(500), child.wait()).await;
            exit.map_or_else(|_| None, std::result::Result::ok)
        }
        None => None,
    };
    let status = status
        .map(|status| format!(" ({status})"))
        .unwrap_or_default();
    server_error(format!(
        "the MCP server `{name}` closed the connection{status}"
    ))
}

/// Notes changes of the list of tools. Requests of the server, such as sampling, are refused by the defaults of the trait.
#[derive(Clone)]
struct Handler(Arc<ConnectionState>);

impl ClientHandler for Handler {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.tools_changed.store(true, Ordering::Relaxed);
    }
}

/// A reader that fails at a line, which is a message, of more than `max` bytes.
struct LimitedLines<R> {
    read: R,
    /// The length of the line so far.
    line: usize,
    max: usize,
    state: Arc<ConnectionState>,
}

impl<R: AsyncRead + Unpin> AsyncRead for LimitedLines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = std::task::ready!(Pin::new(&mut self.read).poll_read(context, buffer));
        if read.is_err() || buffer.filled().len() == before {
            self.state.is_closed.store(true, Ordering::Relaxed);
            return Poll::Ready(read);
        }
        for line in buffer.filled()[before..].split_inclusive(|byte| *byte == b'\n') {
            self.line += line.len();
            if self.line > self.max {
                self.state.is_too_long.store(true, Ordering::Relaxed);
                self.state.is_closed.store(true, Ordering::Relaxed);
                return Poll::Ready(Err(io::Error::other("a message is too long")));
            }
            if line.ends_with(b"\n") {
                self.line = 0;
            }
        }
        Poll::Ready(Ok(()))
    }
}
