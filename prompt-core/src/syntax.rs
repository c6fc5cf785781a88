//! The items of `prompt-syntax` that this crate uses: the drawing of positions, the nearest names, sorting, the facts about families.

pub(crate) use prompt_syntax::family::{self, Family, Order};
pub(crate) use prompt_syntax::{Span, join, order, snippet, suggest};
