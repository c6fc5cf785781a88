#![doc = include_str!("../README.md")]

#[cfg(feature = "client")]
pub use prompt_client as client;
pub use prompt_core::*;
#[cfg(feature = "eval")]
pub use prompt_eval as eval;
#[cfg(feature = "dynamic")]
pub use prompt_macros::Fields;
pub use prompt_macros::{Prompt, ToValue, Tools, function, prompt, template};

/// Prompt layouts of other systems, byte for byte. Each module needs the feature named after it, such as `compat-lamini`.
pub mod compat {
    #[cfg(feature = "compat-aisbench")]
    pub use prompt_compat::aisbench;
    #[cfg(feature = "compat-lamini")]
    pub use prompt_compat::lamini;
}

/// What generated code names. Nothing here is for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use prompt_core::private::*;
}
