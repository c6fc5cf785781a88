//! Messages: a conversation for a model, and the tools that it may use.

use std::fmt;
use std::ops::Index;
use std::sync::{Arc, OnceLock};

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

/// Messages in order: owned ones, and between them shared ones. A long history is not copied for each prompt that contains it.
#[derive(Default)]
struct Sequence {
    own: Vec<Message>,
    shared: Vec<Shared>,
    /// All messages in one slice, once they were requested as a slice.
    whole: OnceLock<Vec<Message>>,
}

#[derive(Clone)]
struct Shared {
    /// How many of the owned messages precede it.
    before: usize,
    turns: Arc<Vec<Message>>,
}

impl Sequence {
    /// All messages in order.
    fn each(&self) -> Each<'_> {
        let first = self.shared.first().map_or(self.own.len(), |it| it.before);
        let (run, own) = self.own.split_at(first);
        Each {
            run: run.iter(),
            own,
            shared: &self.shared,
            at: first,
        }
    }

    fn len(&self) -> usize {
        let shared = self.shared.iter().map(|shared| shared.turns.len());
        self.own.len() + shared.sum::<usize>()
    }

    fn get(&self, index: usize) -> Option<&Message> {
        if self.shared.is_empty() {
            return self.own.get(index);
        }
        self.each().nth(index)
    }

    fn last(&self) -> Option<&Message> {
        match self.shared.last() {
            Some(shared) if shared.before == self.own.len() => shared.turns.last(),
            _ => self.own.last(),
        }
    }

    /// The messages as a slice. If some are shared, all are copied once.
    fn as_slice(&self) -> &[Message] {
        if self.shared.is_empty() {
            return &self.own;
        }
        self.whole.get_or_init(|| self.each().cloned().collect())
    }

    /// The messages, mutable: none is shared any longer.
    fn as_mut(&mut self) -> &mut Vec<Message> {
        if !self.shared.is_empty() {
            *self = Sequence::from(std::mem::take(self).into_vec());
        }
        &mut self.own
    }

    fn into_vec(self) -> Vec<Message> {
        if self.shared.is_empty() {
            return self.own;
        }
        let len = self.len();
        if let Some(whole) = self.whole.into_inner() {
            return whole;
        }
        let (mut all, mut at) = (Vec::with_capacity(len), 0);
        let mut own = self.own.into_iter();
        for Shared { before, turns } in self.shared {
            all.extend(own.by_ref().take(before - at));
            at = before;
            all.extend(Arc::unwrap_or_clone(turns));
        }
        all.extend(own);
        all
    }

    fn push(&mut self, message: Message) {
        self.whole.take();
        self.own.push(message);
    }

    fn extend(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.whole.take();
        self.own.extend(messages);
    }

    /// Adds shared messages.
    fn share(&mut self, turns: &Arc<Vec<Message>>) {
        if turns.is_empty() {
            return;
        }
        self.whole.take();
        self.shared.push(Shared {
            before: self.own.len(),
            turns: Arc::clone(turns),
        });
    }

    /// The last message of a role, mutable.
    fn last_of_mut(&mut self, role: Role) -> Option<&mut Message> {
        let shared = self.shared.last().map_or(0, |shared| shared.before);
        let is_own = self.own[shared..]
            .iter()
            .any(|message| message.role == role);
        if is_own {
            self.whole.take();
        } else {
            self.as_mut();
        }
        self.own
            .iter_mut()
            .rev()
            .find(|message| message.role == role)
    }
}

/// Iterates over owned and shared messages.
#[derive(Clone)]
pub(crate) struct Each<'a> {
    /// The rest of the current slice.
    run: std::slice::Iter<'a, Message>,
    /// The owned messages after it, and how many precede them.
    own: &'a [Message],
    at: usize,
    /// The shared messages after it.
    shared: &'a [Shared],
}

impl Each<'_> {
    /// Continues with the next slice.
    fn advance(&mut self) -> Option<()> {
        match self.shared {
            [next, rest @ ..] if next.before == self.at => {
                self.run = next.turns.iter();
                self.shared = rest;
            }
            _ if self.own.is_empty() => return None,
            shared => {
                let end = shared
                    .first()
                    .map_or(self.own.len(), |it| it.before - self.at);
                let (run, own) = self.own.split_at(end);
                (self.run, self.own) = (run.iter(), own);
                self.at += end;
            }
        }
        Some(())
    }
}

impl<'a> Iterator for Each<'a> {
    type Item = &'a Message;

    #[inline]
    fn next(&mut self) -> Option<&'a Message> {
        loop {
            if let Some(message) = self.run.next() {
                return Some(message);
            }
            self.advance()?;
        }
    }

    fn nth(&mut self, mut index: usize) -> Option<&'a Message> {
        while index >= self.run.len() {
            index -= self.run.len();
            self.advance()?;
        }
        self.run.nth(index)
    }

    fn fold<B, F: FnMut(B, &'a Message) -> B>(mut self, init: B, mut each: F) -> B {
        let mut all = init;
        loop {
            all = std::mem::take(&mut self.run).fold(all, &mut each);
            if self.advance().is_none() {
                return all;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let shared = self.shared.iter().map(|shared| shared.turns.len());
        let len = self.run.len() + self.own.len() + shared.sum::<usize>();
        (len, Some(len))
    }
}

impl ExactSizeIterator for Each<'_> {}

impl Clone for Sequence {
    fn clone(&self) -> Sequence {
        match self.whole.get() {
            Some(whole) => Sequence::from(whole.clone()),
            None => Sequence {
                own: self.own.clone(),
                shared: self.shared.clone(),
                whole: OnceLock::new(),
            },
        }
    }
}

impl From<Vec<Message>> for Sequence {
    fn from(own: Vec<Message>) -> Sequence {
        Sequence {
            own,
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
        all.push(Message::user("e"));
        all.share(&Arc::new(of(&["f"])));
        (all, of(&["a", "b", "c", "d", "e", "f"]))
    }

    #[test]
    fn shared_turns_stand_where_they_were_added() {
        let (all, expected) = mixed();
        assert!(all.each().eq(&expected));
        let mut seen = Vec::new();
        all.each().for_each(|message| seen.push(message.clone()));
        assert_eq!(seen, expected);
        assert_eq!(all.len(), 6);
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
    fn a_change_is_seen_by_whoever_reads_them_afterwards() {
        let (mut all, mut expected) = mixed();
        all.as_slice();
        all.push(Message::assistant("g"));
        expected.push(Message::assistant("g"));
        assert_eq!(all.as_slice(), expected);
        all.extend([Message::user("h")]);
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
    fn what_is_shared_stays_as_it_was() {
        let turns = Arc::new(of(&["a"]));
        let mut all = Sequence::default();
        all.share(&turns);
        all.as_mut()[0].role = Role::Assistant;
        assert_eq!(*turns, of(&["a"]));
    }
}
