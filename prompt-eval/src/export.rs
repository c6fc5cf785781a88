//! Training rows and batch files.

mod batch;
mod training;

pub use batch::{BatchAnswer, BatchWriter, parse_batch};
#[cfg(feature = "tokens")]
pub use training::token_row;
pub use training::{alpaca_row, chat_row, text_row};
