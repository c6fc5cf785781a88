#![doc = include_str!("../README.md")]

#[cfg(feature = "client")]
pub use prompt_client as client;
pub use prompt_core::*;
#[cfg(feature = "eval")]
pub use prompt_eval as eval;
pub use prompt_macros::{Prompt, Tools, function, prompt, template};

/// What generated code names. Nothing here is for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use prompt_core::private::*;
}
