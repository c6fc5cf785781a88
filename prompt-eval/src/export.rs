//! Rows for training, and files for servers that work them off.

mod batch;
mod training;

pub use batch::{Answered, BatchWriter, answers};
pub use training::{alpaca_row, chat_row};
