//! Messages: a conversation for a model, and the tools that it may use.

mod sequence;

use std::fmt;
use std::ops::Index;
use std::sync::Arc;

pub(crate) use self::sequence::Each;
use self::sequence::Sequence;
use crate::{AnnotatedText, ChatFormat, Error, Message, Result, Role, Tool};

/// A conversation for a model, and the tools that it may use.
///
/// It serializes as the `messages` of OpenAI's chat API; [`openai`](Messages::openai) and
/// [`anthropic`](Messages::anthropic) give whole requests with tools.
///
/// ```
/// use prompt_core::{Message, Messages};
///
/// let mut messages = Messages::from([Message::system("Be brief."), Message::user("Hi")]);
/// messages.push(Message::assistant("Hello."));
/// assert_eq!(messages.len(), 3);
/// assert_eq!(messages[2].text(), "Hello.");
/// ```
#[derive(Clone, Default)]
pub struct Messages {
    messages: Sequence,
    tools: Vec<Tool>,
    fault: Option<Error>,
}

impl Messages {
    /// No messages.
    pub fn new() -> Messages {
        Messages::default()
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The messages in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Message> {
        self.as_slice().iter()
    }

    /// The messages in order, without copying a shared history into one slice.
    pub(crate) fn each(&self) -> Each<'_> {
        self.messages.each()
    }

    /// The messages in order, mutable.
    ///
    /// ```
    /// use prompt_core::{Message, Messages};
    ///
    /// let mut messages = Messages::from([Message::user("Hi")]);
    /// messages.iter_mut().for_each(|message| message.name = Some("Ada".to_owned()));
    /// assert_eq!(messages[0].name.as_deref(), Some("Ada"));
    /// ```
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Message> {
        self.messages.as_mut().iter_mut()
    }

    /// The messages as a slice.
    ///
    /// ```
    /// use prompt_core::{Message, Messages};
    ///
    /// assert_eq!(Messages::from([Message::user("Hi")]).as_slice(), [Message::user("Hi")]);
    /// ```
    pub fn as_slice(&self) -> &[Message] {
        self.messages.as_slice()
    }

    /// The last message.
    pub fn last(&self) -> Option<&Message> {
        self.messages.last()
    }

    /// Adds a message at the end.
    ///
    /// ```
    /// use prompt_core::{Message, Messages};
    ///
    /// let mut messages = Messages::new();
    /// messages.push(Message::user("Hi"));
    /// assert_eq!(messages.last(), Some(&Message::user("Hi")));
    /// ```
    pub fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// The tools that the model may use.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Offers one more tool.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Tool};
    ///
    /// let messages = Messages::from([Message::user("Hi")]).with_tool(Tool::new("weather"));
    /// assert_eq!(messages.tools()[0].name(), "weather");
    /// ```
    pub fn with_tool(mut self, tool: Tool) -> Messages {
        self.tools.push(tool);
        self
    }

    /// Adds the messages of a shared history.
    pub(crate) fn share(&mut self, turns: &Arc<Vec<Message>>) {
        self.messages.share(turns);
    }

    /// The last message of a role, mutable.
    pub(crate) fn last_of_mut(&mut self, role: Role) -> Option<&mut Message> {
        self.messages.last_of_mut(role)
    }

    pub(crate) fn tools_mut(&mut self) -> &mut Vec<Tool> {
        &mut self.tools
    }

    /// Whether everything that the prompt holds could be written.
    ///
    /// Formats, requests and serialization check it themselves.
    ///
    /// # Errors
    /// The first error of rendering: a history of an unknown shape, a tool without a name, a value that cannot be
    /// written as JSON.
    ///
    /// ```
    /// use prompt_core::{ErrorKind, Writer};
    ///
    /// let mut out = Writer::new();
    /// out.history(&serde_json::json!([["one", "two", "three"]]));
    /// assert_eq!(out.finish().check().unwrap_err().kind(), ErrorKind::History);
    /// ```
    pub fn check(&self) -> Result<()> {
        self.fault.clone().map_or(Ok(()), Err)
    }

    /// The one text that a model without a chat API reads.
    ///
    /// # Errors
    /// Messages that the format does not support, and an error of rendering.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, format};
    ///
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::LLAMA2)?;
    /// assert_eq!(text, "<s>[INST] Hi [/INST]");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn to_text(&self, format: impl ChatFormat) -> Result<String> {
        format.wrap_messages(self).map(AnnotatedText::into_string)
    }

    /// The same text, with the source of each segment.
    ///
    /// # Errors
    /// As [`to_text`](Messages::to_text).
    ///
    /// ```
    /// use prompt_core::{Message, Messages, format};
    ///
    /// let wrapped = Messages::from([Message::user("Hi")]).wrap(format::LLAMA2)?;
    /// assert_eq!(wrapped.pieces().count(), 3);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn wrap(&self, format: impl ChatFormat) -> Result<AnnotatedText> {
        format.wrap_messages(self)
    }

    pub(crate) fn fail(&mut self, error: Error) {
        self.fault.get_or_insert(error);
    }

    pub(crate) fn take_fault(&mut self) -> Option<Error> {
        self.fault.take()
    }

    pub(crate) fn fault(&self) -> Option<&Error> {
        self.fault.as_ref()
    }

    /// Adds the messages, tools and fault of another.
    pub(crate) fn append(&mut self, other: &Messages) {
        self.messages.extend(other.each().cloned());
        self.tools.extend_from_slice(&other.tools);
        if let Some(fault) = &other.fault {
            self.fail(fault.clone());
        }
    }
}

impl Index<usize> for Messages {
    type Output = Message;

    /// Panics as slices do when there is no such message.
    fn index(&self, index: usize) -> &Message {
        match self.messages.get(index) {
            Some(message) => message,
            None => &self.as_slice()[index],
        }
    }
}

impl PartialEq for Messages {
    fn eq(&self, other: &Messages) -> bool {
        let fault = |messages: &Messages| messages.fault.as_ref().map(ToString::to_string);
        self.each().eq(other.each()) && self.tools == other.tools && fault(self) == fault(other)
    }
}

impl From<Vec<Message>> for Messages {
    fn from(messages: Vec<Message>) -> Messages {
        Messages {
            messages: messages.into(),
            ..Messages::default()
        }
    }
}

impl<const N: usize> From<[Message; N]> for Messages {
    fn from(messages: [Message; N]) -> Messages {
        Messages::from(Vec::from(messages))
    }
}

impl FromIterator<Message> for Messages {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Messages {
        Messages::from(Vec::from_iter(messages))
    }
}

impl Extend<Message> for Messages {
    fn extend<I: IntoIterator<Item = Message>>(&mut self, messages: I) {
        self.messages.extend(messages);
    }
}

impl IntoIterator for Messages {
    type Item = Message;
    type IntoIter = std::vec::IntoIter<Message>;

    fn into_iter(self) -> Self::IntoIter {
        self.messages.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Messages {
    type Item = &'a Message;
    type IntoIter = std::slice::Iter<'a, Message>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Messages { tools, fault, .. } = self;
        f.debug_struct("Messages")
            .field("messages", &Vec::from_iter(self.each()))
            .field("tools", tools)
            .field("fault", fault)
            .finish()
    }
}
