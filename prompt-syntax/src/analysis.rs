//! The analysis of a template against its fields: names and scopes, kinds, optionality, usage and trust.
//!
//! The derive, `prompt!`, the attribute macros and run-time templates all call [`Analyzer`] with the parsed nodes and a
//! [`Context`]: the fields, and what is known of them. It returns the annotated tree ([`Piece`]) and the errors. Generating
//! Rust from the tree, and asking rustc about types that only rustc knows, is the job of the macros; values are the job of
//! the run-time interpreter.
//!
//! Run-time templates obey the same rules as compiled ones, with these differences ([`Context::run_time`]):
//! - A condition narrows an `Option` in every later branch and operand, and not only where generated code can bind it.
//! - A variable that only some branches set may be used; it is undefined where no branch has set it.
//! - A macro may call itself; the depth of calls is limited when the template is rendered.
//! - There are no Rust types: the items of each list are values, and a filter cannot be a Rust path.

mod analyzer;
#[cfg(feature = "jinja")]
mod jinja;
mod piece;
mod plain;
mod usage;

pub use self::analyzer::{Analyzer, Context, Field, Included, Includes, NoIncludes};
pub use self::piece::{
    Bind, Branch, Fallback, How, Loop, Over, Piece, Place, Root, Show, Slot, Test, Value, walk,
};
pub use self::usage::{Used, used};
pub use crate::analysis::piece::{
    Function, Given, Items, Keyed, Mapped, Term, Variable, control_tokens, exposed_answer, media,
    role_order, untrusted,
};
pub use crate::analysis::usage::lost;
