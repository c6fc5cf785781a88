//! Messages: a conversation for a model, and the tools that it may use.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::Index;
use std::slice;
use std::sync::{Arc, OnceLock};

use crate::{AnnotatedText, ChatFormat, Message, Result, Role, Tool};

/// A conversation for a model, and the tools that it may use.
///
/// It serializes as the `messages` of OpenAI's chat API; [`openai`](Messages::openai) and
/// [`anthropic`](Messages::anthropic) return complete requests with tools.
///
/// ```
/// use typed_prompt::{Message, Messages};
///
/// let mut messages = Messages::from([Message::system("Be brief."), Message::user("Hi")]);
/// messages.push(Message::assistant("Hello."));
/// assert_eq!(messages.len(), 3);
/// assert_eq!(messages[2].text(), "Hello.");
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Messages {
    messages: Sequence,
    tools: Vec<Tool>,
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
    ///
    /// ```
    /// use typed_prompt::{Message, Messages};
    ///
    /// let messages = Messages::from([Message::user("Hi"), Message::assistant("Hello")]);
    /// assert_eq!(messages.iter().rev().next(), messages.last());
    /// ```
    pub fn iter(&self) -> MessageIter<'_> {
        self.messages.iter()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Message> {
        self.messages.get(index)
    }

    /// The messages in order, mutable.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages};
    ///
    /// let mut messages = Messages::from([Message::user("Hi")]);
    /// messages.iter_mut().for_each(|message| message.name = Some("Ada".to_owned()));
    /// assert_eq!(messages[0].name.as_deref(), Some("Ada"));
    /// ```
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Message> {
        self.messages.as_mut().iter_mut()
    }

    /// The messages as a slice. Messages of a shared history are copied into it; [`iter`](Messages::iter) copies nothing.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages};
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
    /// use typed_prompt::{Message, Messages};
    ///
    /// let mut messages = Messages::new();
    /// messages.push(Message::user("Hi"));
    /// assert_eq!(messages.last(), Some(&Message::user("Hi")));
    /// ```
    pub fn push(&mut self, message: Message) {
        self.messages.tail().push(message);
    }

    /// The tools that the model may use.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Offers one more tool. Many chat formats write its description and schema into the system message, so your program must
    /// have written or reviewed them.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Tool};
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

    /// The one text that a model without a chat API reads.
    ///
    /// # Errors
    /// Messages that the format does not support.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, format};
    ///
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::LLAMA2)?;
    /// assert_eq!(text, "<s>[INST] Hi [/INST]");
    /// # Ok::<(), typed_prompt::Error>(())
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
    /// use typed_prompt::{Message, Messages, format};
    ///
    /// let wrapped = Messages::from([Message::user("Hi")]).wrap(format::LLAMA2)?;
    /// assert_eq!(wrapped.pieces().count(), 3);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn wrap(&self, format: impl ChatFormat) -> Result<AnnotatedText> {
        format.wrap_messages(self)
    }

    /// Adds the messages and tools of another.
    pub(crate) fn append(&mut self, other: &Messages) {
        self.messages.tail().extend(other.iter().cloned());
        self.tools.extend_from_slice(&other.tools);
    }
}

impl Index<usize> for Messages {
    type Output = Message;

    /// Panics like a slice if the index is out of bounds.
    fn index(&self, index: usize) -> &Message {
        match self.get(index) {
            Some(message) => message,
            None => &self.as_slice()[index],
        }
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
        self.messages.tail().extend(messages);
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
    type IntoIter = MessageIter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Messages in order: owned ones, and between them shared ones. A long history is not copied for each prompt that contains it.
#[derive(Default)]
struct Sequence {
    /// The owned messages before the first shared ones.
    first: Vec<Message>,
    rest: Vec<Run>,
    /// All messages in one slice, once they were requested as a slice.
    whole: OnceLock<Vec<Message>>,
}

#[derive(Clone)]
enum Run {
    Shared(Arc<Vec<Message>>),
    Own(Vec<Message>),
}

impl Run {
    fn as_slice(&self) -> &[Message] {
        match self {
            Run::Shared(turns) => turns,
            Run::Own(own) => own,
        }
    }
}

impl Sequence {
    fn iter(&self) -> MessageIter<'_> {
        MessageIter {
            front: self.first.iter(),
            rest: self.rest.iter(),
            back: [].iter(),
        }
    }

    fn len(&self) -> usize {
        self.iter().len()
    }

    fn get(&self, index: usize) -> Option<&Message> {
        match self.first.get(index) {
            None if !self.rest.is_empty() => self.iter().nth(index),
            message => message,
        }
    }

    fn last(&self) -> Option<&Message> {
        let mut rest = self.rest.iter().rev();
        rest.find_map(|run| run.as_slice().last())
            .or(self.first.last())
    }

    /// The messages as a slice. If some are shared, all are copied once.
    fn as_slice(&self) -> &[Message] {
        if self.rest.is_empty() {
            return &self.first;
        }
        self.whole.get_or_init(|| self.iter().cloned().collect())
    }

    /// The messages, mutable: none is shared any longer.
    fn as_mut(&mut self) -> &mut Vec<Message> {
        if !self.rest.is_empty() {
            *self = Sequence::from(std::mem::take(self).into_vec());
        }
        &mut self.first
    }

    fn into_vec(self) -> Vec<Message> {
        if let Some(whole) = self.whole.into_inner() {
            return whole;
        }
        let mut all = self.first;
        for run in self.rest {
            all.extend(match run {
                Run::Shared(turns) => Arc::unwrap_or_clone(turns),
                Run::Own(own) => own,
            });
        }
        all
    }

    /// The owned messages at the end, to which messages can be added.
    fn tail(&mut self) -> &mut Vec<Message> {
        self.whole.take();
        if let Some(Run::Shared(_)) = self.rest.last() {
            self.rest.push(Run::Own(Vec::new()));
        }
        match self.rest.last_mut() {
            Some(Run::Own(own)) => own,
            _ => &mut self.first,
        }
    }

    /// Adds shared messages.
    fn share(&mut self, turns: &Arc<Vec<Message>>) {
        if turns.is_empty() {
            return;
        }
        self.whole.take();
        self.rest.push(Run::Shared(Arc::clone(turns)));
    }

    /// The last message of a role, mutable.
    fn last_of_mut(&mut self, role: Role) -> Option<&mut Message> {
        let is_in_tail = self.tail().iter().any(|message| message.role == role);
        let messages = if is_in_tail {
            self.tail()
        } else {
            self.as_mut()
        };
        messages
            .iter_mut()
            .rev()
            .find(|message| message.role == role)
    }
}

/// Iterates over [`Messages`] in order. Shared histories are borrowed, not copied.
#[derive(Clone, Default)]
pub struct MessageIter<'a> {
    front: slice::Iter<'a, Message>,
    rest: slice::Iter<'a, Run>,
    back: slice::Iter<'a, Message>,
}

impl<'a> Iterator for MessageIter<'a> {
    type Item = &'a Message;

    #[inline]
    fn next(&mut self) -> Option<&'a Message> {
        loop {
            if let Some(message) = self.front.next() {
                return Some(message);
            }
            match self.rest.next() {
                Some(run) => self.front = run.as_slice().iter(),
                None => return self.back.next(),
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest = self.rest.clone().map(|run| run.as_slice().len());
        let length = self.front.len() + rest.sum::<usize>() + self.back.len();
        (length, Some(length))
    }
}

impl<'a> DoubleEndedIterator for MessageIter<'a> {
    fn next_back(&mut self) -> Option<&'a Message> {
        loop {
            if let Some(message) = self.back.next_back() {
                return Some(message);
            }
            match self.rest.next_back() {
                Some(run) => self.back = run.as_slice().iter(),
                None => return self.front.next_back(),
            }
        }
    }
}

impl ExactSizeIterator for MessageIter<'_> {}

impl FusedIterator for MessageIter<'_> {}

impl fmt::Debug for MessageIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl Clone for Sequence {
    fn clone(&self) -> Sequence {
        match self.whole.get() {
            Some(whole) => Sequence::from(whole.clone()),
            None => Sequence {
                first: self.first.clone(),
                rest: self.rest.clone(),
                whole: OnceLock::new(),
            },
        }
    }
}

impl PartialEq for Sequence {
    fn eq(&self, other: &Sequence) -> bool {
        self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl From<Vec<Message>> for Sequence {
    fn from(messages: Vec<Message>) -> Sequence {
        Sequence {
            first: messages,
            ..Sequence::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Vec<Message> {
        texts.iter().map(|text| Message::user(*text)).collect()
    }

    /// `a`, shared `b c`, shared `d`, `e`, shared `f`.
    fn mixed() -> (Sequence, Vec<Message>) {
        let mut all = Sequence::from(of(&["a"]));
        all.share(&Arc::new(of(&["b", "c"])));
        all.share(&Arc::new(of(&["d"])));
        all.share(&Arc::new(Vec::new()));
        all.tail().push(Message::user("e"));
        all.share(&Arc::new(of(&["f"])));
        (all, of(&["a", "b", "c", "d", "e", "f"]))
    }

    #[test]
    fn shared_turns_keep_their_position() {
        let (all, expected) = mixed();
        assert!(all.iter().eq(&expected));
        let mut seen = Vec::new();
        all.iter().for_each(|message| seen.push(message.clone()));
        assert_eq!(seen, expected);
        let (all_reversed, reversed): (Vec<_>, Vec<_>) =
            (all.iter().rev().collect(), expected.iter().rev().collect());
        assert_eq!(all_reversed, reversed);
        assert_eq!((all.len(), all.iter().len()), (6, 6));
        let mut rest = all.iter();
        assert_eq!((rest.nth(1), rest.len()), (expected.get(1), 4));
        assert_eq!((rest.next_back(), rest.len()), (expected.get(5), 3));
        assert_eq!((rest.nth(3), rest.len()), (None, 0));
        for (index, message) in expected.iter().enumerate() {
            assert_eq!(all.get(index), Some(message));
        }
        assert_eq!((all.get(6), all.last()), (None, expected.last()));
        assert_eq!(all.clone().into_vec(), expected);
        assert!(all.whole.get().is_none());
        assert_eq!(all.as_slice(), expected);
        assert!(all.whole.get().is_some());
        assert_eq!(all.clone().as_slice(), expected);
        assert_eq!(all.into_vec(), expected);
    }

    #[test]
    fn changes_are_visible_to_later_reads() {
        let (mut all, mut expected) = mixed();
        all.as_slice();
        all.tail().push(Message::assistant("g"));
        expected.push(Message::assistant("g"));
        assert_eq!(all.as_slice(), expected);
        all.tail().extend([Message::user("h")]);
        expected.push(Message::user("h"));
        assert_eq!(
            (all.as_slice(), all.last()),
            (&expected[..], expected.last())
        );
        all.last_of_mut(Role::User).unwrap().role = Role::Tool;
        expected[7].role = Role::Tool;
        assert_eq!(all.as_slice(), expected);
        all.last_of_mut(Role::User).unwrap().role = Role::Tool;
        expected[5].role = Role::Tool;
        assert_eq!(all.as_slice(), expected);
        all.as_mut().remove(0);
        assert_eq!(all.as_slice(), &expected[1..]);
        assert_eq!(all.last_of_mut(Role::System), None);
    }

    #[test]
    fn shared_messages_are_not_changed() {
        let turns = Arc::new(of(&["a"]));
        let mut all = Sequence::default();
        all.share(&turns);
        all.as_mut()[0].role = Role::Assistant;
        assert_eq!(*turns, of(&["a"]));
    }
}
