//! Generics, lifetimes, const generics, where clauses.

#![no_implicit_prelude]

use ::tp::{Prompt, ToPrompt, no_prelude::diagnostic};

/// All kinds together; the parameters have names that generated code might use.
#[derive(Prompt)]
#[prompt(
    crate = "::tp",
    user = "<value> <list | join(\" \")> <for x in list><x></for>"
)]
pub struct Generic<'a, 'b: 'a, T, P: ?::std::marker::Sized, const N: usize = 2>
where
    T: ToPrompt + ::std::clone::Clone + 'b,
    P: ToPrompt + 'a,
{
    /// A value.
    pub value: &'a P,
    /// A list.
    pub list: &'b [T; N],
}

/// A type parameter in a skipped field only.
#[derive(Prompt)]
#[prompt(crate = "::tp", user = "nothing")]
pub struct Skipped<Out> {
    /// Not in the prompt.
    #[prompt(skip)]
    pub out: Out,
}

/// The lifetime has the name of one that generated code might add.
#[derive(Prompt)]
#[prompt(crate = "::tp", user = "<text>")]
pub struct Named<'out, '_a> {
    /// A text.
    pub text: &'out &'_a str,
}
