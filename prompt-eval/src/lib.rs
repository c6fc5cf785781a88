//! Evaluation for typed-prompt: the module `typed_prompt::eval`, with its documentation.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod budget;
#[cfg(feature = "eval-cli")]
pub mod cli;
mod completion;
mod content;
mod conversation;
#[cfg(feature = "run")]
mod dataset;
mod error;
#[cfg(feature = "run")]
mod eval;
mod example_pool;
#[cfg(feature = "run")]
pub mod export;
mod fingerprint;
pub mod metric;
#[cfg(feature = "run")]
mod metric_summary;
#[cfg(feature = "run")]
mod multiple_choice;
#[cfg(feature = "run")]
mod report;
#[cfg(feature = "run")]
mod results;
pub mod retrieve;
#[cfg(feature = "run")]
mod run;
#[cfg(feature = "run")]
mod run_head;
#[cfg(feature = "run")]
mod task;

pub use budget::{FittedPrompt, PromptBudget};
pub use completion::Completion;
pub use content::{Content, ContentPart, SlotMedia, media_file};
pub use conversation::{Conversation, TurnMode, split_rounds};
#[cfg(feature = "run")]
pub use dataset::{Dataset, Row};
pub use error::DataError;
#[cfg(feature = "run")]
pub use eval::Eval;
pub use example_pool::ExamplePool;
#[cfg(feature = "run")]
pub use metric_summary::MetricSummary;
#[cfg(feature = "run")]
pub use multiple_choice::{Choices, MultipleChoice, Normalization};
#[cfg(feature = "run")]
pub use report::Report;
#[cfg(feature = "run")]
pub use results::{LoadedResults, RowResult, load_results};
#[cfg(feature = "run")]
pub use run_head::RunHead;
