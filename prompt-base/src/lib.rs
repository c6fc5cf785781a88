//! What the crates of typed-prompt share: byte spans, errors drawn over their source line, suggestions, JSON text with positions, base64, kinds of values, digits and numbers, files, hosts of this machine, the redaction of secrets, and a hash.
//!
//! ```
//! use prompt_base::{Span, snippet, suggest};
//!
//! let source = snippet::Source { name: Some("ask.prompt"), text: "Use <contxt>.", line: 1, column: 0 };
//! let help = format!("did you mean `{}`?", suggest::closest("contxt", ["question", "context"]).unwrap());
//! assert!(snippet::draw(&source, Span::new(5, 11), &help, &[]).ends_with("^^^^^^ did you mean `context`?"));
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod base64;
pub mod digit;
pub mod file;
pub mod hash;
pub mod host;
pub mod json;
mod kind;
pub mod number;
pub mod redact;
pub mod snippet;
mod span;
pub mod suggest;
pub mod tool_name;
mod unicode;

pub use kind::{Kind, StructKinds, ValueKind};
pub use span::Span;
