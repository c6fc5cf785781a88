//! Prompts for language models, checked by the Rust compiler.
//!
//! A struct is the input of a prompt. Every slot of the template must be one of its fields, and every field must be used. A mistake is
//! a compile error at its position inside the template.
//!
//! ```
//! use typed_prompt::{Prompt, format};
//!
//! #[derive(Prompt)]
//! #[prompt(
//!     system = "You translate into <language>. Answer with the translation only.",
//!     user = "<text>"
//! )]
//! struct Translate<'a> {
//!     #[prompt(trusted)]
//!     language: &'a str,
//!     text: &'a str,
//! }
//!
//! fn main() -> typed_prompt::Result<()> {
//!     let ask = Translate { language: "French", text: "Good morning!" };
//!     let messages = ask.messages()?; // for chat APIs: `messages.openai()`
//!     assert_eq!(messages[1].text(), "Good morning!");
//!     let text = ask.to_text(format::CHATML)?; // for a model that reads text
//!     assert!(text.ends_with("Good morning!<|im_end|>\n<|im_start|>assistant\n"));
//!     Ok(())
//! }
//! ```
//!
//! # Where to start
//!
//! - [`derive(Prompt)`](derive@Prompt) documents the template language and all attributes; [`prompt!`] fills a template inline,
//!   [`function`](macro@function) turns a function signature into a prompt, and [`template`](macro@template) infers the fields from the slots.
//! - The trait [`Prompt`](trait@Prompt) renders: [`messages`](Prompt::messages), [`to_text`](Prompt::to_text) and [`to_annotated_text`](Prompt::to_annotated_text).
//! - [`Llm`] sends a prompt to a model and returns its typed output. [`MockLlm`] is a model for tests.
//! - [`derive(Tools)`](derive@Tools) defines tools that a model may call; [`Llm::with_tools`] runs the calls.
//! - [`format`](mod@format) contains the chat formats of all model families, and [`Guard`] protects them from control tokens in data.
//! - [`History`] and [`Examples`] are earlier turns and few-shot examples, [`Media`] images and files.
//! - The pages in [`docs`] list all [compile errors](docs::errors) with their fixes, what is [literal text](docs::literal_text), and what each [provider](docs::providers) accepts.
//!
#![doc = include_str!("features.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

/// The examples of README.md use all features, so they are tested in a build that has them.
#[cfg(all(
    doctest,
    feature = "client",
    feature = "dynamic",
    feature = "eval",
    feature = "schema"
))]
#[doc = include_str!("../README.md")]
mod readme {}

// The tests of the pages are elsewhere: they need all features.
#[cfg(all(doc, not(doctest)))]
pub mod docs;

#[cfg(feature = "chat-template")]
pub use prompt_chat_template::ChatTemplate;
pub use prompt_core::{
    ChatFormat, Error, ErrorKind, Examples, Guard, History, Label, Llm, Media, Message, Messages,
    MockLlm, Prompt, Reply, Request, Result, Role, ToPrompt, Tool, ToolCall, Tools, Trusted,
    Untrusted,
};
#[cfg(feature = "dynamic")]
pub use prompt_dynamic::{Dynamic, Fields};
pub use prompt_macros::{Fields, Label, Prompt, Tools, function, prompt, template};

pub use prompt_core::{anthropic, filter, format, openai};

/// The crate of JSON Schemas. A program without a dependency on it derives `typed_prompt::schemars::JsonSchema`, with
/// `#[schemars(crate = "typed_prompt::schemars")]` above the type.
#[cfg(feature = "schema")]
#[doc(no_inline)]
pub use schemars;

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "tokens")]
pub use prompt_core::tokens;
#[cfg(feature = "eval")]
pub mod eval;
#[cfg(feature = "mcp")]
pub mod mcp;

/// Parts of messages, and the origin of each byte. [`Message`] and [`Messages`] are in the root.
pub mod message {
    pub use prompt_core::{
        DataSpan, Json, JsonKind, MediaKind, MediaSource, MessageIter, Origin, Part, Preview, Text,
        ToMedia,
    };
}

/// One few-shot example, and types that are a history. [`History`] and [`Examples`] are in the root.
pub mod history {
    pub use prompt_core::{Example, ToHistory};
}

/// Options of requests, details of replies, and recorded answers. [`Llm`], [`Request`] and [`Reply`] are in the root.
pub mod llm {
    pub use prompt_core::RecordedLlm;
    pub use prompt_core::{
        Answered, Attempt, BoxFuture, Call, Chunk, Embedder, FinishReason, Likelihood, ModelInfo,
        OnChunk, Options, PromptCache, ReasoningEffort, StoredPrompt, Structured, TokenLogProb,
        ToolChoice, Usage, option_setters,
    };
}

/// The loop that runs the tools which a model calls, and types that are tools. [`Tool`] and [`Tools`] are in the root.
pub mod tool {
    pub use prompt_core::{AcceptsTools, ToTools};
    pub use prompt_core::{
        Approval, ApprovalFn, Approver, AsyncApproval, BorrowingApproval, NoApproval, PlainApproval,
    };
    pub use prompt_core::{
        Finished, IntoToolOutput, RequestedCall, ToolEvent, ToolFn, ToolLimit, ToolLoop,
        ToolOutput, ToolStep, ToolSteps,
    };
}

/// Values in slots, conditions, loops and the system message: traits, and wrappers for types of your own. [`ToPrompt`] is in the root.
pub mod value {
    pub use prompt_core::python::{Python, python};
    pub use prompt_core::{
        CompareBool, CompareNumber, CompareText, DebugValue, DisplayValue, List, Pair, Pairs, Sort,
        SystemSafe, Texts, Truthy, debug, display,
    };
}

/// Functions that parse a model's reply: as text, and with feature `schema` as a value of a type.
pub mod output {
    #[cfg(feature = "schema")]
    pub use prompt_core::output::{
        Answer, Ending, Issue, ParseError, Parsed, Partial, PartialValue, Repair, RepairKind,
        Schema, SchemaError, json_schema, parse_json, parse_strict, parse_value,
    };
    pub use prompt_core::output::{AnswerText, describe_output, describe_type, parse_text};
    #[cfg(feature = "schema")]
    pub use prompt_macros::Partial;
}

/// The writer that generated code calls, the text of a chat format with the origin of each byte, and facts about a prompt.
pub mod write {
    pub use prompt_core::{
        AnnotatedText, Extra, Fingerprint, PromptInfo, PromptParts, SlotData, SlotInfo, Slots,
        Writer,
    };
}

/// The values of the Jinja dialect (feature `jinja`), on which `{{ … }}` expressions operate.
///
/// ```
/// use typed_prompt::message::Origin;
/// use typed_prompt::jinja::ToValue;
///
/// #[derive(ToValue)]
/// struct User {
///     name: String,
///     age: u8,
/// }
///
/// let user = User { name: "Ada".into(), age: 36 };
/// assert_eq!(user.to_value(Origin::Template).to_string(), "{'name': 'Ada', 'age': 36}");
/// ```
#[cfg(feature = "jinja")]
pub mod jinja {
    pub use prompt_jinja::{Dict, EvalError, Str, ToValue, Value, ValueKind};
    pub use prompt_macros::ToValue;
}

/// What `derive(Fields)` tells about a struct, and a prompt with a template of run time (feature `dynamic`). [`Dynamic`] is in the root.
#[cfg(feature = "dynamic")]
pub mod dynamic {
    pub use prompt_dynamic::{Contract, Field, FieldKind, FieldValue, Filled};
}

/// What a module with `#![no_implicit_prelude]` imports to use prompts: `use ::typed_prompt::no_prelude::diagnostic;`.
pub mod no_prelude {
    /// Attributes that do nothing: a replacement for rustc's.
    ///
    /// The code of a prompt uses rustc's attributes `#[diagnostic::on_unimplemented]` and `#[diagnostic::do_not_recommend]`, which draw an
    /// error about a type at its slot. rustc does not find them in a module without the prelude, where these two are used instead: errors
    /// about types then come without the drawing.
    ///
    /// ```
    /// mod prompts {
    ///     #![no_implicit_prelude]
    ///
    ///     use ::typed_prompt::{Prompt, no_prelude::diagnostic};
    ///
    ///     #[derive(Prompt)]
    ///     #[prompt(user = "<question>")]
    ///     pub struct Ask<T: ::typed_prompt::ToPrompt> {
    ///         pub question: T,
    ///     }
    /// }
    /// # let _ = prompts::Ask { question: "Why?" };
    /// ```
    // Not in the root of the crate: with `use typed_prompt::*`, the name would be ambiguous with rustc's.
    pub mod diagnostic {
        pub use prompt_macros::{do_not_recommend, on_unimplemented};
    }
}

/// Prompt layouts of other systems, byte for byte (feature `compat`).
#[cfg(feature = "compat")]
pub mod compat {
    pub use prompt_compat::{aisbench, lamini, lazyllm, lightrag};
}

/// Items that generated code uses. Nothing here is for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use prompt_core::private::*;
    #[cfg(feature = "dynamic")]
    pub use prompt_dynamic as dynamic;
    #[cfg(feature = "jinja")]
    pub use prompt_jinja::private as expr;
}
