//! Training rows and batch files.

mod batch;
mod training;

pub use batch::{BatchAnswer, BatchWriter, parse_batch};
pub use training::{alpaca_row, chat_row};
