//! The template language of typed-prompt: parses templates into trees, with the position of every error. The angle, brace and f-string
//! dialects are here; Jinja, which has more nodes and expressions, is a [`Language`] of the crate `prompt-jinja-syntax`.
//!
//! ```
//! use prompt_base::snippet;
//! use prompt_syntax::{Dialect, Options, parse};
//!
//! let text = "Translate <text | uper> into <language>.";
//! let parsed = parse(text, Options::message(Dialect::Angle));
//! assert!(parsed.errors.is_empty(), "what a filter is called is for the macros to know");
//!
//! let text = "Hello <input:name";
//! let parsed = parse(text, Options::message(Dialect::Angle));
//! let error = &parsed.errors[0];
//! assert_eq!(error.message(), "this slot is never closed");
//! let source = snippet::Source { name: Some("hello.prompt"), text, line: 1, column: 0 };
//! println!("{}", snippet::draw(&source, error.span, "opened here", error.related()));
//! ```
//!
//! # The grammar
//!
//! `prompt-macros/src/derive.md` describes the slots, filters, conditions, loops and role blocks of each dialect for users; `docs/literal-text.md` what is
//! text, which look-alikes are errors and how text is escaped; `docs/whitespace.md` the white space that is removed.
//!
//! A construct that is meant as one of these but is wrong is an error, not text: `<input:a b>`, `<if a == b>`, `<if>`, `</for>` alone,
//! `<elif a>`, `<else/>`, `{input:a.b}`, `{input:name` without its end, `{{ name }`.
//!
//! # Invariants
//!
//! - [`parse`] performs no I/O, never fails and never panics.
//! - Spans are byte ranges of the input, at character boundaries. Those of the top level cover it without gaps;
//!   in Jinja, white space that a comment, white-space control or an option removes belongs to none.
//! - Time grows linearly with the length of the text. Blocks nest at most 128 levels deep; an expression has at most 128 operators and 32 nested
//!   brackets. More is one error.
//! - A tag has one error, and an error causes no second one.
//! - A tree without errors that is printed (`tests/print`) and parsed again is equal.
//! - Each dialect has its own lexer. All lexers produce the same tokens, and one parser builds the tree.
//! - The names of dialects, and how each writes a slot or a tag, are in [`Dialect`], because messages name other dialects. Nothing else here
//!   knows the nodes and expressions of Jinja: they are types of a [`Language`].

#![cfg_attr(docsrs, feature(doc_cfg))]

#[macro_use]
mod macros;

pub mod analysis;
mod ast;
pub mod dialect;
mod expr;
pub mod filters;
pub mod front_matter;
mod keyword;
mod language;
mod lex;
#[cfg(feature = "lexing")]
pub mod lexing;
mod name;
pub mod near;
mod notation;
mod options;
mod parse;
mod pasted;
pub mod problem;
mod roles;
mod xml_tag;

pub use analysis::names::KnownNames;
pub use analysis::parsed::{ParsedTemplate, parse, parse_in};
pub use ast::*;
pub use language::{
    Language, LanguageCondition, LanguageExpr, LanguageNode, LanguagePiece, NoState, Plain,
};
pub use lex::{open_tag, typed_line_break};
pub use name::is_type;
pub use options::{Dialect, Options};
pub use pasted::merge_pasted_errors;
pub use problem::error::Error;
pub use prompt_base::Kind;
pub use roles::is_outside_of_roles;
pub use xml_tag::{XmlTag, XmlTags};
