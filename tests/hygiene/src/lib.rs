//! Derived prompts in unusual surroundings: the dependency is renamed, modules have no prelude, `core`,
//! `std` and `alloc` are shadowed, and the items around have names that generated code might use.
//!
//! The test is that it compiles without a warning; `tests/renders.rs` checks the output.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, clippy::pedantic)]

// `::core` is this crate here: generated code may not name the real one by that path.
extern crate self as core;

/// Shadows the crate.
pub mod std {}

/// Shadows the crate.
pub mod alloc {}

/// Shadows the facade by its real name.
pub mod typed_prompt {}

pub mod answer;
pub mod dynamic;
pub mod fields;
pub mod functions;
pub mod generic;
pub mod inside;
pub mod jinja;
pub mod names;
pub mod own;
pub mod shapes;
pub mod sources;
pub mod tools;

/// The page of the guide about a renamed dependency: this package has one.
#[cfg(doctest)]
#[doc = include_str!("../../../book/pages/howto/renamed-dependency.md")]
pub mod page {}
