//! Runtime support for typed-prompt: messages, chat formats, the control-token guard, and typed model calls.
//!
//! A prompt writes into a [`Writer`], which records the role of each message and which text is data. The result are [`Messages`]: JSON
//! for chat APIs ([`Messages::openai`], [`Messages::anthropic`]), or text in the chat [`format`](mod@format) of a model family, in which
//! data never becomes structure ([`Guard`]). [`Llm::call`] returns the prompt's output type.
//!
//! ```
//! use typed_prompt::{Llm, MockLlm, Role, format, write::Writer};
//!
//! // What `#[derive(Prompt)]` writes for a struct and its template:
//! let mut out = Writer::new();
//! out.role(Role::System);
//! out.text("Answer in one sentence.");
//! out.role(Role::User);
//! out.text("What is ");
//! out.slot("word", &"entropy");
//! out.text("?");
//! let ask = out.finish()?;
//!
//! assert_eq!(
//!     serde_json::to_string(&ask)?,
//!     r#"[{"role":"system","content":"Answer in one sentence."},{"role":"user","content":"What is entropy?"}]"#
//! );
//! assert_eq!(
//!     ask.to_text(format::LLAMA2)?,
//!     "<s>[INST] <<SYS>>\nAnswer in one sentence.\n<</SYS>>\n\nWhat is entropy? [/INST]"
//! );
//!
//! let llm = MockLlm::new(["A measure of disorder."]);
//! assert_eq!(pollster::block_on(llm.call(&ask))?, "A measure of disorder.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod annotated_text;
mod answer_text;
pub mod anthropic;
mod compare;
mod error;
mod examples;
pub mod filter;
pub mod format;
mod guard;
mod history;
mod info;
mod json;
mod likelihood;
mod list;
mod llm;
mod media;
mod message;
mod missing;
mod mock;
pub mod openai;
pub mod output;
mod preview;
#[doc(hidden)]
pub mod private;
mod prompt;
pub mod python;
mod recording;
mod struct_fields;
mod texts;
#[cfg(feature = "tokens")]
pub mod tokens;
mod tool;
mod tool_call;
mod truthy;
mod untrusted;
mod value;
mod write;

pub use annotated_text::AnnotatedText;
pub use compare::{CompareBool, CompareNumber, CompareText, Label};
pub use error::{Error, ErrorKind, Result};
pub use examples::{Example, Examples};
pub use format::chat_format::ChatFormat;
pub use guard::Guard;
pub use history::{History, ToHistory};
pub use info::{Fingerprint, PromptInfo, SlotInfo, Slots};
pub use json::{Json, JsonKind};
pub use likelihood::Likelihood;
pub use list::{List, Pair, Pairs, Sort};
pub use llm::{
    Answered, Attempt, BoxFuture, Call, Chunk, Embedder, FinishReason, Llm, ModelInfo, OnChunk,
    Options, PromptCache, ReasoningEffort, Reply, Request, StoredPrompt, Structured, TokenLogProb,
    ToolChoice, Usage,
};
pub use media::{Media, MediaKind, MediaSource, ToMedia};
pub use message::{DataSpan, Message, MessageIter, Messages, Origin, Part, Role, Text};
pub use mock::MockLlm;
pub use preview::Preview;
pub use prompt::{AcceptsTools, Prompt};
pub use recording::RecordedLlm;
pub use texts::Texts;
pub use tool::{
    Approval, ApprovalFn, Approver, AsyncApproval, BorrowingApproval, NoApproval, PlainApproval,
};
pub use tool::{
    Finished, IntoToolOutput, RequestedCall, ToolEvent, ToolFn, ToolLimit, ToolLoop, ToolOutput,
    ToolStep, ToolSteps,
};
pub use tool::{ToTools, Tool, Tools};
pub use tool_call::ToolCall;
pub use truthy::Truthy;
pub use untrusted::Untrusted;
pub use value::{DebugValue, DisplayValue, SystemSafe, ToPrompt, Trusted, debug, display};
pub use write::{Extra, PromptParts, SlotData, Writer};
