//! Fields with the names of locals, keywords and types that generated code might use.

#![no_implicit_prelude]

use ::tp::{Prompt, no_prelude::diagnostic};

/// Locals and parameters.
#[allow(clippy::pub_underscore_fields)]
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(
    user = "<out> <self_> <type> <f> <__out> <writer> <value> <prompt> <w> <x> <p> <item> <this> <_self> <__self> <name>"
)]
pub struct Locals {
    /// A field.
    pub out: u8,
    /// A field.
    pub self_: u8,
    /// A field.
    pub r#type: u8,
    /// A field.
    pub f: u8,
    /// A field.
    pub __out: u8,
    /// A field.
    pub writer: u8,
    /// A field.
    pub value: u8,
    /// A field.
    pub prompt: u8,
    /// A field.
    pub w: u8,
    /// A field.
    pub x: u8,
    /// A field.
    pub p: u8,
    /// A field.
    pub item: u8,
    /// A field.
    pub this: u8,
    /// A field.
    pub _self: u8,
    /// A field.
    pub __self: u8,
    /// A field.
    pub name: u8,
}

/// A loop whose variable has the name of the writer in generated code, around a slot of another field.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(
    user = "<for out in list><out> <text>;</for><for value in list><if value><value></if></for>"
)]
pub struct Shadowed<'a> {
    /// Numbers.
    pub list: &'a [u8],
    /// Text.
    pub text: &'a str,
}

/// Every attribute that a field can have.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(system = "<name>", user = "<picture> <question>")]
pub struct Marked<'a> {
    /// Trusted.
    #[prompt(trusted)]
    pub name: &'a str,
    /// An image.
    #[prompt(media)]
    pub picture: ::tp::Media,
    /// A question.
    pub question: &'a str,
    /// Turns.
    #[prompt(history)]
    pub history: ::tp::History,
    /// Tools.
    #[prompt(tools, trusted)]
    pub tools: ::std::vec::Vec<::tp::Tool>,
    /// An extra field.
    #[prompt(extra)]
    pub knowledge: &'a str,
    /// Not in the prompt.
    #[prompt(skip)]
    pub id: u8,
}

/// With a typed answer.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(user = "<question>", output = ::core::answer::Answer)]
pub struct Typed<'a> {
    /// A question.
    pub question: &'a str,
}

/// With an untrusted answer.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(user = "<question>", output = ::tp::Untrusted<::std::string::String>)]
pub struct UntrustedText<'a> {
    /// A question, which an earlier answer contained.
    pub question: ::tp::Untrusted<&'a str>,
}
