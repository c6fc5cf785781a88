//! Evaluation for typed-prompt: datasets, few-shot examples, resumable runs and metrics.
//!
//! A row of a dataset is a prompt. Its `#[prompt(answer)]` field contains the correct answer: it is part of few-shot examples
//! and training rows, but not of requests, and answers are compared with it.
//!
//! ```
//! # #[cfg(feature = "run")] {
//! use typed_prompt::eval::{Dataset, Eval, ExamplePool, metric::Numeric, retrieve::Random};
//! use typed_prompt::{Examples, MockLlm};
//! use serde::Deserialize;
//! use typed_prompt::Prompt;
//!
//! #[derive(Prompt, Deserialize)]
//! #[prompt(
//!     system = "Answer with a number.",
//!     user = "What is <question>",
//!     assistant = "<answer>"
//! )]
//! struct Sum {
//!     #[prompt(examples)]
//!     #[serde(skip)]
//!     examples: Examples,
//!     question: String,
//!     #[prompt(answer)]
//!     answer: String,
//! }
//!
//! let train = "question,answer\n2+2?,4\n3+3?,6\n4+4?,8\n";
//! let train: Vec<Sum> = Dataset::<Sum>::from_csv(train.as_bytes(), "train.csv")?
//!     .map(|row| row.map(|row| row.value))
//!     .collect::<Result<_, _>>()?;
//! let test = "question,answer\n1+1?,2\n5+6?,11\n";
//! let test = Dataset::<Sum>::from_csv(test.as_bytes(), "test.csv")?;
//! let pool = ExamplePool::from_turns(train)?.retriever(Random::new(2).seed(42));
//!
//! let eval = Eval::new(test)
//!     .few_shot(pool, |row, examples| row.examples = examples)
//!     .gold(Numeric::new(), |row| row.answer.clone())
//!     .concurrency(16); // also: .results("results.jsonl"), .progress()
//! let report = pollster::block_on(eval.run(&MockLlm::new(["2", "It is 12."])))?;
//! assert_eq!(report.metrics[0].mean(), 0.5);
//! # }
//! # Ok::<(), typed_prompt::eval::DataError>(())
//! ```
//!
//! | purpose | items |
//! | --- | --- |
//! | rows of JSONL, CSV, TSV and Parquet files | [`Dataset`]; every error has its file, row and column |
//! | few-shot examples | [`ExamplePool`] and the retrievers: [`retrieve`] |
//! | maximum prompt length | [`PromptBudget`]: examples are left out, and counted |
//! | conversations | [`Conversation`] and [`TurnMode`] |
//! | images, audio and video between texts | [`Content`] |
//! | log-probabilities of given answers | [`Completion`], [`Choices`], [`MultipleChoice`] |
//! | scores of answers | [`metric`] |
//! | resumable runs | [`Eval`], its file of [`RowResult`]s, and its [`Report`] |
//! | command-line programs, with `--dry-run`, `--skip-bad` and others | [`cli::Args`](crate::cli), with the feature `eval-cli` |
//! | training and batches | [`export`]: chat and Alpaca rows, batch files and their answers |

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
