//! LazyLLM's prompts: its Alpaca and Chat layouts, in one text or as messages, with the keys of its model groups.
//!
//! LazyLLM's *instruction* is the prompt's system message, the *input* that no slot takes is its user message, *extra
//! keys* are the fields marked `#[prompt(extra)]`. LazyLLM lays an instruction out differently when it is one string
//! and when it is `{system, user}`: [`Chat::new`] and [`Alpaca::new`] are the first form, [`Chat::with_roles`] and
//! [`Alpaca::with_roles`] the second.
//!
//! ```
//! use prompt_core::{Message, Messages, Prompt, lazyllm};
//!
//! let ask = Messages::from([Message::system("Add the numbers."), Message::user("1+1")]);
//! assert_eq!(
//!     ask.to_text(lazyllm::Chat::new().keys(lazyllm::Keys::named("internlm")?.with_system("")))?,
//!     "<|System|>:Add the numbers.\n\n\n\n\n\n<|User|>:\n1+1\n\n<|Bot|>:\n"
//! );
//! # Ok::<(), prompt_core::Error>(())
//! ```
//!
//! What is better here than in the original: values are never read again; tools and calls are JSON; a system message
//! in the middle of a conversation, or history in Alpaca, is an error that names it; a space breaks control tokens in
//! data; nothing is left out in silence.

mod alpaca;
mod chat;
mod groups;
mod keys;
mod sections;

pub use alpaca::Alpaca;
pub use chat::Chat;
pub use keys::{DEFAULT_SYSTEM, Keys};

use crate::format::{ChatFormat, Family, check, unsupported};
use crate::syntax::family;
use crate::{Messages, Result, Role, Wrapped};

/// LazyLLM's `EmptyPrompter`: the user's text as it is.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, lazyllm};
///
/// assert_eq!(Messages::from([Message::user("Hello")]).to_text(lazyllm::EMPTY)?, "Hello");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const EMPTY: Empty = Empty;

/// See [`EMPTY`].
///
/// ```
/// use prompt_core::{ChatFormat, lazyllm};
///
/// assert!(!lazyllm::Empty.family().system);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Empty;

impl ChatFormat for Empty {
    fn family(&self) -> &'static Family {
        &family::LAZYLLM_EMPTY
    }

    fn write(&self, messages: &Messages, out: &mut Wrapped) -> Result<()> {
        check(self.family(), messages, out.options())?;
        for (index, message) in messages.each().enumerate() {
            if index > 0 || message.role != Role::User {
                return Err(unsupported(
                    self.family(),
                    (index, message.role),
                    "is one message too many",
                    "give one user message",
                ));
            }
            out.message(index);
            out.text(&message.whole_text());
        }
        if let Some(label) = out.options().label.clone() {
            out.label(&label, "");
        }
        Ok(())
    }
}
