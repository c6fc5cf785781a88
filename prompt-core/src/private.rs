//! What generated code may name, and nothing more.

pub use ::core;
pub use serde_json::Value;
pub use std::string::String;

pub use crate::truthy::Present;
pub use crate::{
    Fingerprint, List, Messages, Prompt, PromptInfo, Reply, Result, Role, SlotInfo, SystemSafe,
    ToHistory, ToMedia, ToPrompt, ToTools, Truthy, Writer, filter,
};

pub use crate::output::{json_schema, read_json, read_text};

/// Whether a condition holds.
pub fn truthy<T: Present + ?Sized>(value: &T) -> bool {
    value.present().is_some()
}

/// What a condition makes available inside its block.
pub fn present<T: Present + ?Sized>(value: &T) -> Option<&T::Inner> {
    value.present()
}

/// The value before a `??`.
pub fn optional<T>(value: &Option<T>) -> Option<&T> {
    value.as_ref()
}

/// The items of a `for` block.
pub fn items<L: List + ?Sized>(list: &L) -> L::Iter<'_> {
    list.items()
}

/// Fails to compile for a value that may not stand in a system message.
pub fn system_safe<T: SystemSafe + ?Sized>(_: &T) {}
