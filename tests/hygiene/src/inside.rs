//! Prompts inside functions, macros, traits and constants.

#![no_implicit_prelude]

use ::tp::{Prompt, no_prelude::diagnostic};

/// Expands to a prompt with the given tokens.
macro_rules! make {
    ($(#[$meta:meta])* $vis:vis $name:ident, $user:literal, { $($field:ident: $ty:ty),* }) => {
        $(#[$meta])*
        #[derive(Prompt)]
        #[prompt(crate = "::tp")]
        #[prompt(user = $user)]
        $vis struct $name {
            $(
                /// A field.
                $vis $field: $ty
            ),*
        }
    };
}

make!(
    /// From a macro.
    pub Made, "<a> <b>", { a: u8, b: ::std::string::String });

/// The template is the macro's, the fields are the caller's.
macro_rules! question {
    ($name:ident, $($field:ident),*) => {
        /// From a macro.
        #[derive(Prompt)]
        #[prompt(crate = "::tp")]
        #[prompt(user = "<for text in texts><text>;</for>")]
        pub struct $name {
            $(
                /// A field.
                pub $field: ::std::vec::Vec<u8>
            ),*
        }
    };
}

question!(Question, texts);

/// A prompt that is local to this function.
///
/// # Panics
///
/// If the prompt cannot be rendered.
#[must_use]
pub fn in_function(word: &str) -> ::std::string::String {
    #[derive(Prompt)]
    #[prompt(crate = "::tp")]
    #[prompt(user = "<word>")]
    struct Inner<'a> {
        word: &'a str,
    }
    let prompt = Inner { word };
    text(&prompt.messages().unwrap())
}

/// `prompt!` with variables of its scope.
///
/// # Panics
///
/// If the prompt cannot be rendered.
#[must_use]
pub fn inline(out: &str) -> ::std::string::String {
    let value = 1;
    let messages = ::tp::prompt!(crate = ::tp, user = "<out> <value> <sum>", sum = value + 1);
    text(&messages.unwrap())
}

/// `prompt!` through a macro.
#[must_use]
pub fn inline_in_macro(word: &str) -> ::std::string::String {
    macro_rules! ask {
        ($word:expr) => {
            ::tp::prompt!(crate = ::tp, "<word>!", word = $word)
        };
    }
    text(&ask!(word).unwrap())
}

fn text(messages: &::tp::Messages) -> ::std::string::String {
    ::std::borrow::Cow::into_owned(messages[0].text())
}

// In the body of a constant.
const _: () = {
    #[derive(Prompt)]
    #[prompt(crate = "::tp")]
    #[prompt(user = "constant")]
    #[allow(dead_code)]
    struct Constant;
};
