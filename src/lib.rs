#![doc = include_str!("../README.md")]

#[cfg(feature = "chat-template")]
pub use prompt_chat_template::ChatTemplate;
#[cfg(feature = "client")]
pub use prompt_client as client;
pub use prompt_core::*;
#[cfg(feature = "eval")]
pub use prompt_eval as eval;
#[cfg(feature = "dynamic")]
pub use prompt_jinja::dynamic::{Dynamic, Fields};
#[cfg(feature = "dynamic")]
pub use prompt_macros::Fields;
pub use prompt_macros::{Prompt, Tools, function, prompt, template};

/// The values of the Jinja dialect (feature `jinja`): what a `{{ … }}` expression works on.
///
/// ```
/// use typed_prompt::Origin;
/// use typed_prompt::jinja::ToValue;
///
/// #[derive(ToValue)]
/// struct User {
///     name: String,
///     age: u8,
/// }
///
/// let user = User { name: "Ada".into(), age: 36 };
/// assert_eq!(user.to_value(Origin::Template).to_string(), "{'name': 'Ada', 'age': 36}");
/// ```
#[cfg(feature = "jinja")]
pub mod jinja {
    pub use prompt_jinja::{EvalError, ToValue, Value};
    pub use prompt_macros::ToValue;
}

/// Templates that are loaded at run time (feature `dynamic`).
#[cfg(feature = "dynamic")]
pub mod dynamic {
    pub use prompt_jinja::dynamic::{
        Contract, Dynamic, Field, FieldKind, FieldValue, Fields, Filled,
    };
    pub use prompt_macros::Fields;
}

/// Prompt layouts of other systems, byte for byte. Each module needs the feature named after it, such as `compat-lamini`.
pub mod compat {
    #[cfg(feature = "compat-aisbench")]
    pub use prompt_compat::aisbench;
    #[cfg(feature = "compat-lamini")]
    pub use prompt_compat::lamini;
    #[cfg(feature = "compat-lazyllm")]
    pub use prompt_compat::lazyllm;
    #[cfg(feature = "compat-lightrag")]
    pub use prompt_compat::lightrag;
}

/// What generated code names. Nothing here is for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use prompt_core::private::*;
    #[cfg(feature = "dynamic")]
    pub use prompt_jinja::dynamic;
    #[cfg(feature = "jinja")]
    pub use prompt_jinja::expr;
}
