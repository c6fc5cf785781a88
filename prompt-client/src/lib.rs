//! Typed calls of real models: the module `typed_prompt::client`, with its documentation.

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
