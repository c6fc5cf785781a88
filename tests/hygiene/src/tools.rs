//! Sets of tools.

#![no_implicit_prelude]

use ::tp::Tools;

/// One of each shape, with the names of generated code.
#[derive(Tools, Clone, Debug)]
#[tool(crate = "::tp")]
pub enum Action {
    /// Fields.
    Set {
        /// A keyword.
        r#type: bool,
        /// A name that generated code uses.
        called: ::std::string::String,
        /// A name that generated code uses.
        #[tool(default)]
        call: u8,
    },
    /// Nothing.
    #[tool(consequential)]
    Result,
}

/// A type for names alone.
#[allow(non_camel_case_types)]
#[derive(Tools, Clone, Copy, Debug)]
#[tool(crate = "::tp")]
pub enum Bare {
    /// In lower case.
    stop,
    /// Out of use.
    #[deprecated = "for the test"]
    Wait,
}

/// Inside a function.
#[must_use]
pub fn inside() -> usize {
    /// One tool.
    #[derive(Tools)]
    #[tool(crate = "::tp")]
    enum Inner {
        /// The only one.
        Only,
    }
    match Inner::parse(&::tp::ToolCall::new("c1", "only", "")) {
        ::std::result::Result::Ok(Inner::Only) => 1,
        ::std::result::Result::Err(_) => 0,
    }
}
