//! The Model Context Protocol (MCP) for typed-prompt: [`RemoteTools`] offers the tools of a server to a model, and [`PromptServer`] serves
//! the program's prompts to clients.

#[doc(inline)]
pub use prompt_mcp::*;
