//! Typed calls of real models: chat models of every provider, and completion models.
//!
//! ```no_run
//! use typed_prompt::{Llm, Message, Messages, client::ChatModel};
//!
//! # async fn run() -> typed_prompt::Result<()> {
//! let llm = ChatModel::new("openai::gpt-4o")?; // or ChatModel::openai_compatible("http://localhost:8080/v1", "qwen3")?
//! let answer = llm.call(&Messages::from([Message::user("How deep is it?")])).await?;
//! # Ok(())
//! # }
//! ```
//!
//! | item | purpose |
//! | --- | --- |
//! | [`ChatModel`] | a chat model of any provider, or of any server with OpenAI's protocol |
//! | [`CompletionModel`] | a completion model, whose prompt is formatted here by one of the [chat formats](prompt_core::format) |
//! | [`EmbeddingModel`] | vectors of texts |
//! | [`LogProbMethod`] | how log-probabilities are requested from a server |
//! | [`StreamingLlm`] | models that stream their replies |
//! | [`PartialStream`], [`ItemStream`] | typed output that grows while the reply arrives, and the items of a list as they are complete |
//! | [`Fallback`] | a second model for calls at which the first one fails |
//! | [`RateLimited`] | a model that receives a limited number of requests per time |
//! | [`Budget`] | a limit on the tokens or the cost of calls |
//! | [`Cached`] | a cache of answers |
//! | [`ApiKey`], [`RetryPolicy`], [`Prices`] | where a model's key comes from, when a request is sent again, and what tokens cost |
//! | [`HttpRequest`], [`HookError`] | what a function of [`ChatModel::on_request`] sees, which signs requests |
//! | [`Blocking`] | models for programs without an asynchronous runtime |
//! | [`http_client_builder`] | an HTTP client of your own, for proxies and certificates |
//! | [`CallError`] | the cause of a failed call, and whether it is transient |
//!
//! # Tracing
//!
//! Every call is a span of the crate `tracing` with OpenTelemetry's `gen_ai.*` names. It contains prompts and answers only with
//! `.traced_content(true)`. API keys are never part of a span, an error or a recording.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer;
mod api_key;
mod base_url;
mod blocking;
mod budget;
mod cache;
mod chat;
mod completion;
mod embeddings;
mod error;
mod exchange;
mod fallback;
mod http;
#[cfg(feature = "schema")]
mod items;
mod json_body;
mod open_call;
#[cfg(feature = "schema")]
mod partial;
mod prices;
mod rate_limit;
mod redact;
mod request_hook;
mod retry;
mod retry_after;
mod runtime;
mod schema;
mod settings;
mod sse;
mod stream;
mod streaming_llm;
mod tls;
mod trace;

pub use api_key::ApiKey;
pub use blocking::{Blocking, BlockingStream};
pub use budget::{Budget, Spent};
pub use cache::Cached;
pub use chat::ChatModel;
pub use completion::{CompletionModel, LogProbMethod};
pub use embeddings::EmbeddingModel;
pub use error::{CallError, CallErrorKind};
pub use fallback::Fallback;
#[cfg(feature = "schema")]
pub use items::ItemStream;
#[cfg(feature = "schema")]
pub use partial::PartialStream;
pub use prices::Prices;
pub use rate_limit::RateLimited;
pub use request_hook::{HookError, HttpRequest};
/// The HTTP client of the models. `reqwest::Client::new()` panics here, since no cryptography is installed: make clients with
/// [`http_client_builder`].
#[doc(no_inline)]
pub use reqwest;
pub use retry::RetryPolicy;
pub use stream::ReplyStream;
pub use streaming_llm::StreamingLlm;
pub use tls::http_client_builder;
