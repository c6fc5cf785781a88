//! User-defined types in slots, also deprecated ones.

#![no_implicit_prelude]

use ::tp::{Prompt, no_prelude::diagnostic};

/// A deprecated type.
#[deprecated = "for the test"]
#[derive(Clone, Copy, Debug)]
pub struct Old;

#[allow(deprecated)]
impl ::tp::ToPrompt for Old {
    fn write(&self, out: &mut ::tp::write::Writer) {
        out.data("old");
    }
}

/// A deprecated prompt with a deprecated field of a deprecated type.
#[deprecated = "for the test"]
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(user = "<old>")]
pub struct Deprecated {
    /// A field.
    #[deprecated = "for the test"]
    #[allow(deprecated)]
    pub old: Old,
}

/// Fields whose names break a lint that the user has allowed for the struct.
#[allow(non_snake_case)]
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(user = "<Upper> <N>")]
pub struct Upper {
    /// A field.
    pub Upper: u8,
    /// A field.
    pub N: Plain,
}

/// A user-defined type.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl ::tp::ToPrompt for Plain {
    fn write(&self, out: &mut ::tp::write::Writer) {
        out.data("n");
    }
}
