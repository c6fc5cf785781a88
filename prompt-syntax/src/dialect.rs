//! What the crate of another dialect builds on: tokens, names and expressions.

pub use crate::expr::{Cursor, LoopHead, find_range};
pub use crate::keyword::Keyword;
pub use crate::lex::{LexTokenKind, Lexed, TagToken, number_len, trim_span};
pub use crate::name::{continues_name, name_len};
