//! The runtime of typed-prompt: messages, formats, typed calls.

mod draft;
mod error;
pub mod filter;
pub mod format;
mod history;
mod info;
mod json;
mod list;
mod llm;
mod media;
mod message;
mod output;
mod part;
#[doc(hidden)]
pub mod private;
mod prompt;
mod syntax;
mod tool;
mod truthy;
mod value;
mod write;

pub use draft::{Draft, Extra};
pub use error::{Error, ErrorKind, Result};
pub use format::ChatFormat;
pub use history::{History, ToHistory};
pub use info::{Fingerprint, PromptInfo, SlotInfo};
pub use json::Json;
pub use list::List;
pub use llm::{BoxFuture, Finish, Llm, Options, Reply, Request, Usage};
pub use media::{Media, MediaKind, MediaSource, ToMedia};
pub use message::{Message, Messages, Role};
pub use part::{Data, Part, Source, Text};
pub use prompt::Prompt;
pub use tool::{ToTools, Tool, ToolCall};
pub use truthy::Truthy;
pub use value::{Debug, Display, SystemSafe, ToPrompt, Trusted, debug, display};
pub use write::Writer;

impl serde::Serialize for Message {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}
