//! Fields that a template of run time names, and structs that are values.

#![no_implicit_prelude]

use ::tp::jinja::ToValue;
use ::tp::{Fields, Prompt, no_prelude::diagnostic};

/// A value with parts.
#[derive(ToValue)]
#[prompt(crate = "::tp")]
pub struct User<'a, T> {
    /// A raw name.
    pub r#type: &'a str,
    /// A parameter.
    pub other: T,
}

/// With fields of every kind, and the names of generated code.
#[derive(Prompt, Fields)]
#[prompt(crate = "::tp")]
#[prompt(
    user = "<value> <index> <if option><option></if><for item in list><item></for><type> <other>"
)]
pub struct Ask<'a, T: ::tp::ToPrompt> {
    /// Text.
    pub value: &'a str,
    /// A number.
    pub index: usize,
    /// Perhaps.
    pub option: ::std::option::Option<u8>,
    /// A list.
    pub list: &'a [u8],
    /// A raw name.
    pub r#type: bool,
    /// A parameter.
    pub other: T,
    /// Turns.
    #[prompt(history)]
    pub history: ::tp::History,
    /// Tools.
    #[prompt(tools, trusted)]
    pub tools: [::tp::Tool; 1],
    /// A section.
    #[prompt(extra)]
    pub extra: ::std::option::Option<&'a str>,
    /// Left out.
    #[prompt(skip)]
    pub skipped: (),
}
