//! The Jinja dialect of typed-prompt: what it has beside the text, slots, conditions, loops and roles of [`prompt_syntax`].
//!
//! ```
//! use prompt_jinja_syntax::parse;
//! use prompt_syntax::{Dialect, Options};
//!
//! let parsed = parse("{% set name = user.name %}Dear {{ name | title }},", Options::message(Dialect::Jinja));
//! assert!(parsed.errors.is_empty());
//! let parsed = parse("Dear {{ name,", Options::message(Dialect::Jinja));
//! assert_eq!(parsed.errors[0].message(), "this slot is never closed");
//! ```
//!
//! `docs/jinja.md` describes the subset of Jinja2 for users. The invariants of `prompt_syntax` hold here too: no I/O, no panics, time that grows
//! linearly with the text, and one error for one mistake.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod analysis;
mod ast;
pub mod builtin;
mod expr;
mod head;
mod include;
mod keyword;
mod language;
mod lex;
#[cfg(feature = "lexing")]
pub mod lexing;
pub mod problem;

pub use ast::*;
pub use include::{Included, Includes};
pub use language::{Jinja, parse};
