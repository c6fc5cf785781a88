//! The Jinja dialect: from its tree to decisions.
//!
//! - An expression becomes a [`Term`] of a [`Kind`]: a Rust place, a literal, or a call of the run time (`expr::add`).
//!   Kinds come from the tokens of fields' types, from literals and from the tables of `prompt_syntax::builtin`; what two
//!   kinds cannot do is an error drawn in the template. What only rustc knows is asked of rustc, with the same drawing;
//!   what only the value knows (a key, a division by zero) is a fault of the run time at the same place.
//! - A path is a Rust place as long as Rust knows its type (fields, items of lists, what a condition finds in an
//!   `Option`); `set x = path` is another name for it, without code. Everything else is an `expr::Value`.
//! - Names live in frames: a message, a loop, a `with`, a macro, a block whose text is kept. A branch of a condition is a
//!   soft frame: what it sets belongs to the block around it, begins before the condition, and may be read after it only
//!   if every branch gives it a value.
//! - A macro is lowered once for each call, with its arguments for its parameters; an included file is added to the text
//!   of its source, so that its places are places like others.
//! - Words of the template stay `Piece::Text` wherever they can; all else is written by `expr::fill`, which knows of
//!   every piece of a text which field it comes from.

mod block;
mod call;
mod chosen;
mod expr;
mod include;
mod keyed;
mod kind;
mod loops;
mod lowerer;
mod names;
mod operator;
mod own;
mod path;
mod set;
mod term;
mod test;

pub(crate) use self::lowerer::Lowerer;
pub(crate) use self::names::Names;
pub(crate) use self::term::{Function, Given, Items, Keyed, Mapped, Term};
