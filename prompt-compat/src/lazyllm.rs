//! LazyLLM's Alpaca and Chat layouts, as one text or as messages, with the keys of its model groups.
//!
//! Matched is LazyLLM 1.4.0: the layouts are those of its `AlpacaPrompter`, `ChatPrompter` and `EmptyPrompter`, the keys
//! are those of its table of models.
//!
//! LazyLLM's *instruction* is the prompt's system message, the *input* without a slot is its user message, and *extra
//! keys* are the fields marked `#[prompt(extra)]`. LazyLLM's layout of an instruction that is one string differs from that
//! of an instruction `{system, user}`: [`Chat::new`] and [`Alpaca::new`] are the first form, with [`Chat::roles`] and
//! [`Alpaca::roles`] they are the second.
//!
//! ```
//! use typed_prompt::{Message, Messages, Prompt, compat::lazyllm};
//!
//! let ask = Messages::from([Message::system("Add the numbers."), Message::user("1+1")]);
//! assert_eq!(
//!     ask.to_text(lazyllm::Chat::new().keys(lazyllm::Keys::from_name("internlm")?.system("")))?,
//!     "<|System|>:Add the numbers.\n\n\n\n\n\n<|User|>:\n1+1\n\n<|Bot|>:\n"
//! );
//! # Ok::<(), typed_prompt::Error>(())
//! ```
//!
//! Differences from the original: values are not searched for slots; tools and calls are JSON; a system message in the
//! middle of a conversation, or history in Alpaca, is an error that names it; the guard breaks control tokens in data;
//! nothing is dropped silently.

mod alpaca;
mod chat;
mod conversation;
mod groups;
mod keys;

pub use alpaca::Alpaca;
pub use chat::Chat;
pub use keys::{DEFAULT_SYSTEM, Keys};

use prompt_core::ChatFormat;
use prompt_core::format::{Family, FormatOptions, check, unsupported};
use prompt_core::{AnnotatedText, Messages, Result, Role};

const EMPTY_FAMILY: Family = Family {
    name: "lazyllm_empty",
    title: "LazyLLM's EmptyPrompter",
    ..Family::BARE
};

/// LazyLLM's `EmptyPrompter`: the user's text, unchanged.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, compat::lazyllm};
///
/// assert_eq!(Messages::from([Message::user("Hello")]).to_text(lazyllm::EMPTY)?, "Hello");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const EMPTY: Empty = Empty;

/// See [`EMPTY`].
///
/// ```
/// use typed_prompt::{ChatFormat, compat::lazyllm};
///
/// assert!(!lazyllm::Empty.family().system);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Empty;

impl ChatFormat for Empty {
    fn family(&self) -> &'static Family {
        &EMPTY_FAMILY
    }

    fn write_messages(
        &self,
        messages: &Messages,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        check(self.family(), messages, options)?;
        for (index, message) in messages.iter().enumerate() {
            if index > 0 || message.role != Role::User {
                return Err(unsupported(
                    self.family(),
                    (index, message.role),
                    "is one message too many",
                    "give one user message",
                ));
            }
            out.message(index);
            message.texts().for_each(|text| out.text(text));
        }
        if let Some(label) = &options.label {
            out.label(label, "");
        }
        Ok(())
    }
}
