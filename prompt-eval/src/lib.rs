//! Evaluation for typed-prompt.

mod budget;
mod content;
mod dataset;
mod error;
mod eval;
mod examples;
pub mod export;
mod likelihood;
pub mod metric;
mod report;
mod results;
pub mod retrieve;
mod run;
mod turns;

pub use budget::{Budget, Fitted};
pub use content::{Content, Piece, Shown, media_file};
pub use dataset::{Row, Rows};
pub use error::{Error, Result};
pub use eval::Eval;
pub use examples::Examples;
pub use likelihood::Completion;
pub use report::{Report, Tally};
pub use results::{Outcome, outcomes};
pub use turns::{Conversation, Turns, rounds};
