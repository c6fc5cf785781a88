//! Evaluation for typed-prompt: datasets, few-shot examples, resumable runs and metrics.
//!
//! A row of a dataset is a prompt. Its `#[prompt(answer)]` field contains the correct answer: it is part of few-shot examples
//! and training rows, but not of requests, and answers are compared with it.
//!
//! ```
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
//! | command-line programs, with `--dry-run`, `--skip-bad` and others | [`cli::Args`](crate::eval::cli), with the feature `eval-cli` |
//! | training and batches | [`export`]: chat and Alpaca rows, batch files and their answers |

#[doc(inline)]
pub use prompt_eval::*;
