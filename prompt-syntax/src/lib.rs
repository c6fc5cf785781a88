//! The template language of typed-prompt.

mod ast;
mod error;
mod expr;
pub mod family;
#[doc(hidden)]
pub mod invariants;
mod lex;
mod options;
mod parse;
pub mod snippet;
mod source;
mod span;
pub mod suggest;
mod token;

pub use ast::*;
pub use error::Error;
pub use options::{Dialect, Options, Parsed, Tag};
pub use parse::parse;
pub use span::{Span, Spanned};
