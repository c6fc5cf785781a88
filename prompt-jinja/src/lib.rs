//! The Jinja dialect at run time: values, filters, tests and functions, and (feature `dynamic`) templates that are loaded at
//! run time.
#[cfg(feature = "dynamic")]
pub mod dynamic;
#[doc(hidden)]
pub mod expr;

pub use expr::{ToValue, Value};
