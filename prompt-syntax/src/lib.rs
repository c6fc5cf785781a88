//! The template language of typed-prompt: from text to a tree, with every error at its place.
//!
//! ```
//! use prompt_syntax::{Dialect, Options, parse, snippet};
//!
//! let text = "Translate <text | uper> into <language>.";
//! let parsed = parse(text, Options::message(Dialect::Angle));
//! assert!(parsed.errors.is_empty(), "what a filter is called is for the macros to know");
//!
//! let text = "Hello <input:name";
//! let parsed = parse(text, Options::message(Dialect::Angle));
//! let error = &parsed.errors[0];
//! assert_eq!(error.message, "this slot is never closed");
//! let source = snippet::Source { name: Some("hello.prompt"), text, line: 1, column: 0 };
//! println!("{}", snippet::draw(&source, error.span, "opened here", &error.related));
//! ```
//!
//! What holds for every text: [`parse`] does no input or output, never fails and never panics. Spans are bytes of the text
//! that was given, at borders of characters; those of the top level cover it without gaps. Time grows with the text's
//! length, and depth is limited. A tree without errors, printed by [`Template::to_source`] and read again, is the same.
//!
//! Dialects differ in their lexer alone: each makes the same tokens, and one parser makes the tree.

mod ast;
mod block;
mod error;
mod expr;
pub mod family;
#[doc(hidden)]
pub mod invariants;
mod lex;
mod notation;
mod options;
mod parse;
mod print;
pub mod snippet;
mod span;
pub mod suggest;
mod token;
mod unicode;

pub use ast::*;
pub use error::Error;
pub use options::{Dialect, Options, Parsed, Tag};
pub use parse::parse;
pub use span::{Span, Spanned};
