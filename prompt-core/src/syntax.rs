//! What this crate takes from `prompt-syntax`: the drawing of places, the nearest names, sorting, the facts about families.

pub(crate) use prompt_syntax::family::{self, Family, Order};
pub(crate) use prompt_syntax::{Span, join, order, snippet, suggest};
