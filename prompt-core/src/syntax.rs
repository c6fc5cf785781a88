//! What this crate takes from `prompt-syntax`: the drawing of places, the nearest names, sorting, the facts about families.

pub use prompt_syntax::family::{Family, Order};
pub(crate) use prompt_syntax::{Span, family, join, order, snippet, suggest};
