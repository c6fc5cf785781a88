//! Prompts whose slots are the fields of a Rust struct, checked by the compiler.

pub use prompt_core::*;
pub use prompt_macros::*;
