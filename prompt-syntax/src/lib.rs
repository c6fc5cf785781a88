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
//! # What is structure, and what is text
//!
//! | angle | |
//! | --- | --- |
//! | `<input:name>`, `<input:user.name>` | a slot, always |
//! | `<name>` | a slot; text where `</name>` occurs too ([`Parsed::tags`]), and in `<<name>>` |
//! | `<user.name>`, `<docs \| join(", ")>`, `<context ?? "none">` | slots |
//! | `<if a and not (b or c)>`, `<else if d>`, `<else>`, `</if>` | a condition |
//! | `<for p in passages>`, `<else>`, `</for>` | a loop, and what stands there for an empty list |
//! | `<system>…</system>`, `<user>…`, `<assistant>…` | what a role says, with [`Options::roles`] |
//! | `\<name>`, `\<if a>` | text; of backslashes before such a tag pairs are halved, elsewhere they stay |
//! | `<br/>`, `<a b="c">`, `<\|im_start\|>`, `a < b`, `<name >` | text, as everything else |
//!
//! | brace | |
//! | --- | --- |
//! | `{name}`, `{input:name}` | slots |
//! | `{{name}}`, `{{{name}}}`, `{{{{name}}}}` | `{name}`, a slot between braces, `{{name}}`: braces on both sides of a name are halved |
//! | `{"a": 1}`, `{}`, `{0}`, `{ name }`, `{a.b}`, `{{"a": 1}}` | text, as everything else |
//!
//! What is meant as one of these but wrong is an error, not text: `<input:a b>`, `<if a == b>`, `<if>`, `</for>` alone,
//! `<elif a>`, `<else/>`, `{input:a.b}`, `{input:name` without its end. A tag ends on the line that it begins on, except
//! that a text in quotes may hold line breaks.
//!
//! # Invariants
//!
//! - [`parse`] does no input or output, never fails and never panics.
//! - Spans are bytes of the text that was given, at borders of characters. Those of the top level cover it without gaps.
//! - Time grows with the text's length. Blocks go 128 deep, a tag has 128 operators; more is one error.
//! - A tag has one error, and an error causes no second one.
//! - A tree without errors, printed by [`Template::to_source`] and read again, is the same.
//! - Dialects differ in their lexer alone: each makes the same tokens, and one parser makes the tree.

mod ast;
mod block;
pub mod builtin;
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
