//! The Model Context Protocol (MCP) for typed-prompt: the tools of a server are offered to a model by [`RemoteTools`].

mod connection;
mod remote_tools;
mod tool_result;

pub use connection::Limits;
pub use remote_tools::RemoteTools;

// Tests the examples of the page.
#[cfg(doctest)]
#[doc = include_str!("../../docs/mcp.md")]
mod page {}
