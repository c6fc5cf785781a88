//! Every form that a template can come in.

#![no_implicit_prelude]

use ::tp::Prompt;

/// A cooked literal with escapes, over several lines.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(user = "a\t\u{41} \
    <x>
\"<x>\"")]
pub struct Cooked {
    /// A field.
    pub x: u8,
}

/// A raw literal.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(user = r##"\n "#<x>"##)]
pub struct Raw {
    /// A field.
    pub x: u8,
}

/// One literal with role blocks.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt("<system>\ns <x>\n</system>\n<user>\nu <x>\n</user>")]
pub struct Blocks {
    /// A field.
    pub x: u8,
}

/// A named template.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(template = "t {x}", syntax = "brace")]
pub struct Named {
    /// A field.
    pub x: u8,
}

/// A file.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(file = "prompts/hygiene.prompt")]
pub struct File {
    /// A field.
    pub x: u8,
}

/// The words are <x>,
/// from here.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(doc)]
pub struct Doc {
    /// A field.
    pub x: u8,
}
