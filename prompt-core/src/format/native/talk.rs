//! The turns of a conversation that is wrapped in one pass: where they lie, and what each says.

use super::framed::Framing;
use crate::messages::Each;
use crate::write::sketch::{Said, Turns};
use crate::{Message, Part, Role};

/// The turns of a conversation.
pub(super) trait Talk<'m>: ExactSizeIterator<Item: Speaks<'m>> + Clone {
    /// Appends what follows the first question: answers, each with a question behind it.
    #[inline]
    fn exchanges(self, framing: &Framing, text: &mut String) -> Option<()> {
        framing.go_on(self, text, &mut String::push_str)
    }
}

/// Messages that lie side by side.
impl<'m> Talk<'m> for std::slice::Iter<'m, Message> {
    #[inline]
    fn exchanges(self, framing: &Framing, text: &mut String) -> Option<()> {
        let (exchanges, rest) = self.as_slice().as_chunks();
        (framing.exchanges)(exchanges, text).filter(|()| rest.is_empty())
    }
}

impl<'m> Talk<'m> for Each<'m> {}

impl<'m> Talk<'m> for Turns<'m> {}

/// A turn of a conversation: a message, or words of a sketch.
pub(super) trait Speaks<'m>: Copy {
    fn role(self) -> Role;

    /// Its text, if it has one.
    fn text(self) -> Option<&'m str>;

    /// Whether it has more than texts.
    fn says_more(self) -> bool;
}

impl<'m> Speaks<'m> for &'m Message {
    #[inline]
    fn role(self) -> Role {
        self.role
    }

    #[inline]
    fn text(self) -> Option<&'m str> {
        match &self.parts[..] {
            [Part::Text(text)] => Some(text.as_str()),
            _ => None,
        }
    }

    #[inline]
    fn says_more(self) -> bool {
        Message::says_more(self)
    }
}

/// A sketch holds no message that says more.
impl<'m> Speaks<'m> for Said<'m> {
    #[inline]
    fn role(self) -> Role {
        Said::role(self)
    }

    #[inline]
    fn text(self) -> Option<&'m str> {
        match self {
            Said::Message(message) => Speaks::text(message),
            Said::Words(_, words) => Some(words),
        }
    }

    #[inline]
    fn says_more(self) -> bool {
        false
    }
}
