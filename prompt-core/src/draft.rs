//! A rendered prompt with its extra fields separate.

use crate::{Message, Messages, Prompt, Role, Text, Writer};

/// A rendered prompt: its messages, and its extra fields separate from them.
///
/// ```
/// use prompt_core::{Role, Writer};
///
/// let mut out = Writer::new();
/// out.role(Role::User);
/// out.text("Do owls sleep?");
/// out.extra("knowledge", &"By day.");
/// let draft = out.finish_apart();
/// assert_eq!(draft.extras[0].value.as_str(), "By day.");
/// assert_eq!(draft.fold()[0].text(), "Do owls sleep?\n\n### knowledge:\nBy day.");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Draft {
    /// The messages and tools.
    pub messages: Messages,
    /// The extra fields in order.
    pub extras: Vec<Extra>,
}

/// An extra field of a prompt, which is written under its own title.
///
/// ```
/// use prompt_core::Writer;
///
/// let mut out = Writer::new();
/// out.extra("knowledge", &"Owls sleep by day.");
/// assert_eq!(out.finish_apart().extras[0].name, "knowledge");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extra {
    /// The field's name.
    pub name: &'static str,
    /// The field's value.
    pub value: Text,
}

impl Draft {
    /// Renders a prompt.
    ///
    /// ```
    /// use prompt_core::{Draft, Message, Messages};
    ///
    /// let messages = Messages::from([Message::user("Hi")]);
    /// assert_eq!(Draft::of(&messages).messages, messages);
    /// ```
    pub fn of(prompt: &(impl Prompt + ?Sized)) -> Draft {
        let mut out = Writer::new();
        prompt.render(&mut out);
        out.finish_apart()
    }

    /// Returns the messages, with the extra fields at the end of the last user message, each under its name.
    ///
    /// ```
    /// use prompt_core::{Draft, Message, Messages};
    ///
    /// let messages = Messages::from([Message::user("Hi")]);
    /// assert_eq!(Draft::of(&messages).fold(), messages);
    /// ```
    pub fn fold(self) -> Messages {
        let Draft {
            mut messages,
            extras,
        } = self;
        if extras.is_empty() {
            return messages;
        }
        let text = sections(&extras);
        match messages.last_of_mut(Role::User) {
            Some(message) => {
                if !message.parts.is_empty() {
                    message.push_text(&Text::template("\n\n"));
                }
                message.push_text(&text);
            }
            None => messages.push(Message::new(Role::User, text)),
        }
        messages
    }
}

/// The extra fields as text, each under its name.
pub(crate) fn sections(extras: &[Extra]) -> Text {
    let mut text = Text::new();
    for (index, extra) in extras.iter().enumerate() {
        text.push_template(if index > 0 { "\n\n### " } else { "### " });
        text.push_template(extra.name);
        text.push_template(":\n");
        text.push(&extra.value);
    }
    text
}
