//! The Model Context Protocol (MCP) for typed-prompt: the module `typed_prompt::mcp`, with its documentation.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod arguments;
mod connection;
#[cfg(feature = "mcp-http")]
mod http_server;
mod prompt_messages;
mod prompt_server;
mod remote_tools;
mod secrets;
mod tool_result;

pub use arguments::PromptArguments;
pub use connection::Limits;
#[cfg(feature = "mcp-http")]
#[cfg_attr(docsrs, doc(cfg(feature = "mcp-http")))]
pub use http_server::HttpServer;
pub use prompt_server::PromptServer;
pub use remote_tools::RemoteTools;

use std::collections::HashSet;

use prompt_core::Json;

/// A key that an object has twice, at any depth: one of its values would be lost.
fn repeated_key(json: &Json) -> Option<String> {
    if let Some(items) = json.items() {
        return items.iter().find_map(repeated_key);
    }
    let entries = json.entries()?;
    let mut seen = HashSet::new();
    match entries.iter().find(|(key, _)| !seen.insert(key)) {
        Some((key, _)) => Some(key.clone()),
        None => entries.iter().find_map(|(_, value)| repeated_key(value)),
    }
}

// Tests the examples of the page.
#[cfg(doctest)]
#[doc = include_str!("../../docs/mcp.md")]
mod page {}
