//! The families: one constant each, with its style, tokens at both ends, models and an example that is a test.

mod chatml;
mod deepseek;
mod llama;
mod mistral;
mod others;
mod text;

pub use chatml::*;
pub use deepseek::*;
pub use llama::*;
pub use mistral::*;
pub use others::*;
pub use text::*;

/// Declares families. The text at the end is the example: what a conversation of four messages looks like, or of one
/// `user` message where the family has no place for instructions.
macro_rules! natives {
    ($(
        #[doc = $doc:literal]
        $name:ident = $style:expr, ($bos:literal, $eos:literal),
        $(with $with:literal,)?
        [$($model:literal),* $(,)?],
        $(user $user:literal)? $($chat:literal)?;
    )*) => {$(
        #[doc = $doc]
        ///
        /// ```
        /// use prompt_core::{Message, Messages, Prompt, format};
        ///
        $(
        /// let ask = Messages::from([
        ///     Message::system("Be brief."),
        ///     Message::user("Hi"),
        ///     Message::assistant("Hello."),
        ///     Message::user("Bye"),
        /// ]);
        #[doc = concat!("let text = ", stringify!($chat), ";")]
        )?
        $(
        /// let ask = Messages::from([Message::user("Hi")]);
        #[doc = concat!("let text = ", stringify!($user), ";")]
        )?
        #[doc = concat!("assert_eq!(ask.to_text(format::", stringify!($name), $($with,)? ")?, text);")]
        /// # Ok::<(), prompt_core::Error>(())
        /// ```
        pub const $name: $crate::format::Native = $crate::format::Native::new(
            &$crate::syntax::family::$name,
            &$style,
            ($bos, $eos),
            &[$($model),*],
            const { &$crate::guard::Prefilter::new($crate::syntax::family::$name.tokens, $crate::syntax::family::$name.loose) },
        );
    )*};
}
use natives;
