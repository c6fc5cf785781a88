//! Structs and enums of every shape, and fragments.

#![no_implicit_prelude]

use ::tp::{Prompt, no_prelude::diagnostic};

/// Without fields.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(user = "unit")]
pub struct Unit;

/// Without fields.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(user = "empty")]
pub struct Empty {}

/// One prompt per variant.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
pub enum Step<'a, T: ::tp::ToPrompt> {
    /// Plans.
    #[prompt(system = "Plan.", user = "<goal>")]
    Plan {
        /// A goal.
        goal: &'a str,
    },
    /// Acts; its fields have the names of locals.
    #[prompt(
        user = "<out> <value>",
        assistant = "Done.",
        user = "<if last>Last<else>Next</if>"
    )]
    Act {
        /// A field.
        out: u8,
        /// A field.
        value: T,
        /// A field.
        last: bool,
    },
    /// Stops.
    #[prompt(user = "Stop.")]
    Stop,
}

/// A fragment, rendered inside other prompts.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(fragment = "(<x>)")]
pub struct Fragment<T: ::tp::ToPrompt> {
    /// A field.
    pub x: T,
}

/// With fragments.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(user = "<first><for part in parts><part></for>")]
pub struct Parts {
    /// A fragment.
    pub first: Fragment<u8>,
    /// Fragments.
    pub parts: ::std::vec::Vec<Fragment<&'static str>>,
}
