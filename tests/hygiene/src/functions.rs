//! Prompt functions, and structs that are generated from their templates.

#![no_implicit_prelude]

use ::tp::no_prelude::diagnostic;

/// A function with all options.
#[::tp::function(
    crate = "::tp",
    system = "For <product>.",
    user = "<text> <n> <for x in list><x></for>"
)]
pub const fn of_all<'l, N, const S: usize>(
    #[prompt(trusted)] product: &str,
    text: &'l str,
    n: N,
    list: &[&u8; S],
) -> ::std::vec::Vec<u8>
where
    N: ::tp::ToPrompt + ::std::marker::Copy;

/// One of the crate.
#[::tp::function(crate = "::tp", user = "<text>")]
pub(crate) fn of_the_crate(text: ::std::string::String) -> ::std::string::String;

/// One of a function.
///
/// # Errors
///
/// If the prompt cannot be rendered.
pub fn inside() -> ::tp::Result<::tp::Messages> {
    #[::tp::function(crate = "::tp", user = "<input:type> <out ?? 0>")]
    fn out(r#type: u8, out: ::std::option::Option<u8>) -> u8;
    ::tp::Prompt::messages(&out(1, ::std::option::Option::Some(2)))
}

/// A struct with fields for its slots.
#[::tp::template(
    crate = "::tp",
    user = "<text> <for x in list><x></for> <if some><some></if> <if flag>!</if> <note ?? \"-\"> <typed>",
    fields(typed: &'a T)
)]
pub struct Made<'a, T>;

/// Few-shot examples from a file.
#[::tp::template(
    crate = "::tp",
    user = "<text> <note ?? \"-\"> <n>",
    examples = "prompts/examples.jsonl",
    fields(text: ::std::borrow::Cow<'a, str>, n: u8)
)]
pub struct Shown<'a>;
