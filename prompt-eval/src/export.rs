//! Training rows and batch files.

mod batch;
mod training;

pub use batch::{BatchAnswer, BatchWriter, read_batch};
pub use training::{alpaca_row, chat_row};
