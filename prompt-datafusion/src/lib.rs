//! Prompts as functions of [Apache DataFusion](https://datafusion.apache.org): rendered in SQL, and asked once for each row of a
//! table.
//!
//! ```
//! use std::sync::Arc;
//!
//! use datafusion::prelude::*;
//! use prompt_datafusion::{Ask, AskExt, Store, render_udf, session};
//! use typed_prompt::{MockLlm, Prompt, format};
//!
//! #[derive(Prompt, serde::Deserialize)]
//! #[prompt(user = "Which label fits? <ticket>", output = Label)]
//! struct Classify {
//!     ticket: String,
//! }
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Label {
//!     label: String,
//! }
//!
//! # #[tokio::main]
//! # async fn main() -> datafusion::error::Result<()> {
//! let ctx = session();
//! let classify_text = render_udf::<Classify>("classify_text", format::CHATML)?;
//! ctx.register_udf(classify_text.clone()); // for SQL
//! let tickets = ctx.sql("SELECT 'It crashes.' AS ticket UNION ALL SELECT 'I love it.'").await?;
//!
//! // The text of the prompt, as a scalar function.
//! let texts = tickets.clone().select(vec![classify_text.call(vec![col("ticket")])])?;
//! assert_eq!(texts.count().await?, 2);
//!
//! // The answer of a model for each row, in the column `answer`.
//! let llm = Arc::new(MockLlm::from_fn(|_| Ok(r#"{"label": "bug"}"#.into())));
//! let asked = tickets.ask::<Classify>(Ask::new(Store::in_memory(), llm, "mock"))?;
//! ctx.register_table("asked", asked.into_view())?;
//! let labels = ctx.sql("SELECT ticket, answer['value']['label'] AS label FROM asked WHERE answer['error'] IS NULL").await?;
//! assert_eq!(labels.count().await?, 2);
//! # Ok(())
//! # }
//! ```
//!
//! | purpose | items |
//! | --- | --- |
//! | the text of a prompt in a query | [`render_udf`] |
//! | an answer for each row | [`AskExt::ask`], [`Ask`]; plans with it need a [`session`] of this crate |
//! | limits of calls and tokens, and how far a query is | [`Ask::max_calls`], [`Ask::token_budget`], [`Ask::reduce_concurrency_on`], [`Ask::progress`] |
//! | each request is answered once | [`Store`], which is also a table: [`Store::register_table`] |
//! | rows whose text is borrowed from the columns | [`RowPrompt`], [`borrowed!`] |
#![cfg_attr(
    feature = "cluster",
    doc = "| the same queries on Apache Ballista | [`Cluster`] |"
)]
#![cfg_attr(
    feature = "eval",
    doc = "| rows for evaluations, and metrics of answers | [`eval`] |"
)]

mod answer;
mod ask;
#[cfg(feature = "cluster")]
mod cluster;
mod columns;
#[cfg(feature = "eval")]
pub mod eval;
mod exec;
mod limits;
mod render;
mod store;

pub use ask::{Ask, AskExt, session, with_planner};
#[cfg(feature = "cluster")]
pub use ballista_executor::executor_process::ExecutorProcessConfig;
#[cfg(feature = "cluster")]
pub use ballista_scheduler::config::SchedulerConfig;
#[cfg(feature = "cluster")]
pub use cluster::Cluster;
pub use columns::RowPrompt;
pub use limits::Progress;
pub use render::render_udf;
pub use store::Store;
