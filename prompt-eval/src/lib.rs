//! Evaluation for typed-prompt: data sets, few-shot examples, runs that lose nothing, and how good the answers are.
//!
//! A row is the struct of its prompt. Its answer is a field that no model reads (`#[prompt(answer)]`): it stands in
//! examples and in rows for training, and is what answers are measured against.
//!
//! ```
//! # #[cfg(feature = "run")] {
//! use prompt_core::{Scripted, Shots};
//! use prompt_eval::metric::Numeric;
//! use prompt_eval::retrieve::Random;
//! use prompt_eval::{Eval, Examples, Rows};
//! use serde::Deserialize;
//! use typed_prompt::Prompt;
//!
//! #[derive(Prompt, Deserialize)]
//! #[prompt(system = "Answer with a number.", user = "What is <question>", assistant = "<answer>")]
//! struct Sum {
//!     #[prompt(shots)]
//!     #[serde(skip)]
//!     shots: Shots,
//!     question: String,
//!     #[prompt(answer)]
//!     answer: String,
//! }
//!
//! let train = "question,answer\n2+2?,4\n3+3?,6\n4+4?,8\n";
//! let train: Vec<Sum> = Rows::<Sum>::csv_from(train.as_bytes(), "train.csv")?
//!     .map(|row| row.map(|row| row.value))
//!     .collect::<Result<_, _>>()?;
//! let test = Rows::<Sum>::csv_from("question,answer\n1+1?,2\n5+6?,11\n".as_bytes(), "test.csv")?;
//!
//! let eval = Eval::new(test)
//!     .shots(Examples::turns(train).chosen_by(Random::new(2, 42)), |row, shots| row.shots = shots)
//!     .gold(Numeric::new(), |row| row.answer.clone())
//!     .concurrency(16); // .results("results.jsonl"), .per_second(10.0), .progress(), .skip_bad(), …
//! let report = pollster::block_on(eval.run(&Scripted::new(["2", "It is 12."])))?;
//! assert_eq!(report.metrics[0].mean(), 0.5);
//! # }
//! # Ok::<(), prompt_eval::Error>(())
//! ```
//!
//! | for | there is |
//! | --- | --- |
//! | rows of JSONL, CSV, TSV and Parquet files | [`Rows`]; every error with its file, row and column |
//! | examples | [`Examples`] and the ways to choose some: [`retrieve`] |
//! | prompts that are too long | [`Budget`]: whole examples are left out, and counted |
//! | whole conversations | [`Conversation`], asked as [`Turns`] says |
//! | images, sound and films between texts | [`Content`] |
//! | how likely a model finds each of several answers | [`Completion`], [`Choices`], [`Ranking`] |
//! | how good an answer is | [`metric`] |
//! | a run that can be killed and goes on | [`Eval`], its file of [`Outcome`]s, and its [`Report`] |
//! | a program of your own around it, with `--dry-run`, `--skip-bad` and the rest | [`cli::Args`](crate::cli), with the feature `cli` |
//! | training, and work for other machines | [`export`]: chat and Alpaca rows, batch files and their answers |

#[cfg(feature = "run")]
mod ask;
mod budget;
#[cfg(feature = "cli")]
pub mod cli;
mod content;
#[cfg(feature = "run")]
mod dataset;
mod error;
#[cfg(feature = "run")]
mod eval;
mod examples;
#[cfg(feature = "run")]
pub mod export;
mod likelihood;
#[cfg(feature = "run")]
mod locked;
pub mod metric;
#[cfg(feature = "run")]
mod outcome;
#[cfg(feature = "run")]
mod ranking;
#[cfg(feature = "run")]
mod report;
#[cfg(feature = "run")]
mod results;
pub mod retrieve;
#[cfg(feature = "run")]
mod run;
mod turns;

pub use budget::{Budget, Fitted};
pub use content::{Content, Piece, Shown, media_file};
#[cfg(feature = "run")]
pub use dataset::{Row, Rows};
pub use error::{Error, Result};
#[cfg(feature = "run")]
pub use eval::Eval;
pub use examples::Examples;
pub use likelihood::Completion;
#[cfg(feature = "run")]
pub use outcome::{Outcome, outcomes};
#[cfg(feature = "run")]
pub use ranking::{Choices, Ranking, Weighing};
#[cfg(feature = "run")]
pub use report::{Report, Tally};
pub use turns::{Conversation, Turns, rounds};
