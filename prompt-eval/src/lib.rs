//! Evaluation for typed-prompt.

mod budget;
mod content;
mod error;
mod likelihood;
pub mod retrieve;
mod turns;

pub use budget::{Budget, Fitted};
pub use content::{Content, Piece, Shown, media_file};
pub use error::{Error, Result};
pub use likelihood::Completion;
pub use turns::{Conversation, Turns, rounds};
