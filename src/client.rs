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
//! | [`CompletionModel`] | a completion model, whose prompt is formatted here by one of the [chat formats](crate::format) |
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

#[doc(inline)]
pub use prompt_client::*;
