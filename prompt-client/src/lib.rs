//! Typed calls to real models: chat models of every provider, and models that read plain text.
//!
//! ```no_run
//! use prompt_client::Chat;
//! use prompt_core::{Llm, Message, Messages};
//!
//! # async fn run() -> prompt_core::Result<()> {
//! let llm = Chat::new("openai::gpt-4o")?; // or Chat::at("http://localhost:8080/v1", "qwen3")?
//! let answer = llm.call(&Messages::from([Message::user("How deep is it?")])).await?;
//! # Ok(())
//! # }
//! ```
//!
//! | | |
//! | --- | --- |
//! | [`Chat`] | a chat model of any provider, or of any server that speaks OpenAI's protocol |
//! | [`Text`] | a model that reads one text, wrapped here by one of the [formats](prompt_core::format) |
//! | [`Scoring`] | how a server is asked how likely it finds a text |
//! | [`Streaming`] | answers that come piece by piece |
//! | [`Partials`] | typed answers that grow while they come |
//! | [`Blocking`] | for programs without an asynchronous runtime |
//! | [`Recorded`] | answers kept in a file, for tests |
//! | [`Failure`] | what went wrong on the way, and whether it may pass |
//!
//! # What is told to whoever listens
//!
//! Every request is a [`tracing`] span with OpenTelemetry's `gen_ai.*` names; prompts and answers are in it only where
//! `with_traced_content(true)` says so. The libraries below write bodies at their level TRACE, under targets that begin
//! with `genai`. Keys are in no span, error or recording.

mod address;
mod blocking;
mod chat;
mod failure;
mod fault;
mod key;
mod openai;
#[cfg(feature = "schema")]
mod partials;
mod retry;
mod settings;
mod stream;
mod structured;
mod text;
mod trace;

pub use blocking::{Blocking, BlockingStream};
pub use chat::Chat;
pub use failure::{Cause, Failure};
pub use key::Key;
#[cfg(feature = "schema")]
pub use partials::Partials;
pub use prompt_core::{Recorded, Structured};
pub use reqwest;
pub use retry::Retry;
pub use stream::{Chunk, Stream, Streaming};
pub use text::{Scoring, Text};
