//! Conversation history, and the trait of values that can be inserted as history.

mod read;

use std::borrow::Cow;
use std::ops::RangeBounds;
use std::sync::Arc;

use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Error, ErrorKind, Json, Message, Messages, Result, Role, Text};

/// The turns of a conversation so far.
///
/// ```
/// use typed_prompt::{History, Message};
///
/// let pairs = History::from([("Hi", "Hello"), ("How are you?", "Fine.")]);
/// let messages = History::from(vec![Message::user("Hi"), Message::assistant("Hello")]);
/// assert_eq!((pairs.len(), messages.len()), (4, 2));
/// ```
///
/// A system message in a history is an error where the history is used, unless it was made by
/// [`from_messages_with_system`](History::from_messages_with_system) or [`parse_with_system`](History::parse_with_system): it instructs
/// the model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    turns: Arc<Vec<Message>>,
    /// Whether system messages are accepted.
    system: bool,
    /// Whether the pairs that it was made of have a role in place of a question: an error where the history is used.
    has_role_pairs: bool,
}

impl History {
    /// No turns.
    pub fn new() -> History {
        History::default()
    }

    /// Returns a history that may contain system messages. Your program must have written them, never an end user.
    ///
    /// ```
    /// use typed_prompt::{History, Message, write::Writer};
    ///
    /// let summary = Message::system("The user is called Ada.");
    /// let mut out = Writer::new();
    /// out.history(&History::from([summary.clone()]));
    /// assert_eq!(out.finish().unwrap_err().message(), "history[0]: a history may not contain a system message");
    ///
    /// let mut out = Writer::new();
    /// out.history(&History::from_messages_with_system([summary]));
    /// assert_eq!(out.finish()?.len(), 1);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_messages_with_system(messages: impl IntoIterator<Item = Message>) -> History {
        History {
            system: true,
            ..History::from_iter(messages)
        }
    }

    /// Reads a list of `[user, assistant]` pairs, of messages in the shape of OpenAI's API, or of both.
    ///
    /// # Errors
    /// Anything else, and system messages, with the index: `history[2]: …`.
    ///
    /// ```
    /// use typed_prompt::History;
    ///
    /// let json = serde_json::json!([["Hi", "Hello"], {"role": "user", "content": "Bye"}]);
    /// assert_eq!(History::from_json(&json)?.len(), 3);
    /// let error = History::from_json(&serde_json::json!([["Hi"]])).unwrap_err();
    /// assert!(error.to_string().starts_with("history[0]: a pair is `[user, assistant]`"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_json(json: &serde_json::Value) -> Result<History> {
        History::read(&Json::from(json))
    }

    /// Reads the same from text, which keeps the order of keys in the arguments of tool calls.
    ///
    /// # Errors
    /// As [`from_json`](History::from_json), and text that is not JSON.
    ///
    /// ```
    /// assert_eq!(typed_prompt::History::parse(r#"[["Hi", "Hello"]]"#)?.len(), 2);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<History> {
        History::read(&Json::parse(text)?)
    }

    /// Reads the same from text that your program wrote: it may contain system messages.
    ///
    /// # Errors
    /// As [`parse`](History::parse), but for system messages.
    ///
    /// ```
    /// use typed_prompt::History;
    ///
    /// let text = r#"[{"role": "system", "content": "Be brief."}]"#;
    /// assert!(History::parse(text).is_err());
    /// assert_eq!(History::parse_with_system(text)?.len(), 1);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn parse_with_system(text: &str) -> Result<History> {
        Ok(History::from_messages_with_system(read::parse_turns(
            &Json::parse(text)?,
        )?))
    }

    fn read(json: &Json) -> Result<History> {
        let turns = read::parse_turns(json)?;
        reject_system_of(&turns, "History::parse_with_system")?;
        Ok(History::from(turns))
    }

    /// The number of messages.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// The messages in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Message> {
        self.turns.iter()
    }

    /// Adds a message at the end. The question of the prompt that is called next is not a part of its history: [`push_pair`](History::push_pair) adds it after
    /// the call, together with its answer.
    ///
    /// ```
    /// use typed_prompt::{History, Message};
    ///
    /// let mut history = History::new();
    /// history.push(Message::user("Hi"));
    /// assert_eq!(history.iter().count(), 1);
    /// ```
    pub fn push(&mut self, message: Message) {
        Arc::make_mut(&mut self.turns).push(message);
    }

    /// Adds a user message and the assistant's answer, after the call that returns the answer.
    ///
    /// ```
    /// let mut history = typed_prompt::History::new();
    /// history.push_pair("Hi", "Hello");
    /// let (question, answer) = ("And now?".to_owned(), "Goodbye".to_owned());
    /// history.push_pair(&question, &answer);
    /// assert_eq!(history.len(), 4);
    /// ```
    pub fn push_pair(&mut self, user: impl Into<Text>, assistant: impl Into<Text>) {
        Arc::make_mut(&mut self.turns).extend(pair((user, assistant)));
    }

    /// Removes the last message and returns it.
    ///
    /// ```
    /// let mut history = typed_prompt::History::from([("Hi", "Hello")]);
    /// assert_eq!(history.pop().unwrap().text(), "Hello");
    /// ```
    pub fn pop(&mut self) -> Option<Message> {
        Arc::make_mut(&mut self.turns).pop()
    }

    /// Keeps the first `len` messages, the oldest ones, as [`Vec::truncate`]. [`keep_last_turns`](History::keep_last_turns) shortens a conversation.
    ///
    /// ```
    /// let mut history = typed_prompt::History::from([("Hi", "Hello"), ("And?", "Bye")]);
    /// history.truncate(2);
    /// assert_eq!(history, [("Hi", "Hello")].into());
    /// ```
    pub fn truncate(&mut self, len: usize) {
        Arc::make_mut(&mut self.turns).truncate(len);
    }

    /// Keeps the last turns and removes the older ones. A turn is a question of the user with all messages up to the next question, so that a tool call stays
    /// together with its result. System messages are kept.
    ///
    /// ```
    /// let mut history = typed_prompt::History::from([("Hi", "Hello"), ("And?", "Bye")]);
    /// history.keep_last_turns(1);
    /// assert_eq!(history, [("And?", "Bye")].into());
    /// ```
    pub fn keep_last_turns(&mut self, count: usize) {
        let is_user = |index: usize| self.turns[index].role == Role::User;
        let begins_turn = |index: &usize| is_user(*index) && (*index == 0 || !is_user(index - 1));
        let begin = match count.checked_sub(1) {
            None => self.len(),
            Some(newer) => (0..self.len())
                .rev()
                .filter(begins_turn)
                .nth(newer)
                .unwrap_or(0),
        };
        let mut index = 0;
        self.retain(|message| {
            index += 1;
            index > begin || message.role == Role::System
        });
    }

    /// Checks the user message that follows the history in a conversation. The messages of a prompt are checked when it is rendered; a layout that writes a history
    /// of its own checks them itself.
    ///
    /// ```
    /// use typed_prompt::{History, Message};
    ///
    /// let history = History::from_iter([Message::user("How deep is it?")]);
    /// assert!(history.check_question(&Message::user("How deep is it?")).is_err());
    /// assert!(history.check_question(&Message::user("And how wide?")).is_ok());
    /// ```
    ///
    /// # Errors
    /// The history ends with this question, so that the model would read it twice.
    pub fn check_question(&self, next: &Message) -> Result<()> {
        match self.turns.last().filter(|last| is_question(last)) {
            Some(question) => reject_repeated_question(question, next),
            None => Ok(()),
        }
    }

    /// Removes a range of messages and returns them, such as the first question and its answer: `history.drain(..2)`.
    ///
    /// # Panics
    /// The range ends after the last message, as [`Vec::drain`].
    ///
    /// ```
    /// let mut history = typed_prompt::History::from([("Hi", "Hello"), ("And?", "Bye")]);
    /// history.drain(..2);
    /// assert_eq!(history, [("And?", "Bye")].into());
    /// ```
    pub fn drain(&mut self, range: impl RangeBounds<usize>) -> std::vec::Drain<'_, Message> {
        Arc::make_mut(&mut self.turns).drain(range)
    }

    /// Keeps the messages for which `keep` returns `true`.
    ///
    /// ```
    /// use typed_prompt::{History, Role};
    ///
    /// let mut history = History::from([("Hi", "Hello")]);
    /// history.retain(|message| message.role == Role::User);
    /// assert_eq!(history.len(), 1);
    /// ```
    pub fn retain(&mut self, keep: impl FnMut(&Message) -> bool) {
        Arc::make_mut(&mut self.turns).retain(keep);
    }

    /// Removes all messages.
    ///
    /// ```
    /// let mut history = typed_prompt::History::from([("Hi", "Hello")]);
    /// history.clear();
    /// assert!(history.is_empty());
    /// ```
    pub fn clear(&mut self) {
        *self = History {
            system: self.system,
            ..History::default()
        };
    }
}

impl Extend<Message> for History {
    fn extend<I: IntoIterator<Item = Message>>(&mut self, messages: I) {
        Arc::make_mut(&mut self.turns).extend(messages);
    }
}

/// Rejects system messages, with the index of the first.
pub(crate) fn reject_system<'a>(turns: impl IntoIterator<Item = &'a Message>) -> Result<()> {
    reject_system_of(turns, "History::from_messages_with_system")
}

/// The same with the function that accepts them.
fn reject_system_of<'a>(
    turns: impl IntoIterator<Item = &'a Message>,
    function: &str,
) -> Result<()> {
    let mut turns = turns.into_iter();
    match turns.position(|message| message.role == Role::System) {
        None => Ok(()),
        Some(index) => Err(Error::new(
            ErrorKind::History,
            "a history may not contain a system message",
        )
        .with_help(format!(
            "remove it; or, if your program wrote it, use `{function}`"
        ))
        .inside(&format!("history[{index}]"))),
    }
}

/// Whether a message is a question of the user in text. With a name, it is the message of another speaker.
pub(crate) fn is_question(message: &Message) -> bool {
    message.role == Role::User && message.is_text() && message.name.is_none()
}

/// Rejects the question of the prompt where it is the same as that at the end of the history: the model would read it twice.
pub(crate) fn reject_repeated_question(question: &Message, next: &Message) -> Result<()> {
    let (last, text) = (question.text(), next.text());
    if !is_question(next) || text.trim().is_empty() || text.trim() != last.trim() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::History,
        "the history ends with the user message that follows it in the prompt",
    )
    .with_help(
        "remove it from the history, and add it together with its answer after the call, \
        `history.push_pair(question, answer)`; or leave the question out of the prompt",
    ))
}

/// Rejects pairs of a role and a text, which were read as a question and its answer: each question is the name of a role, and they are
/// of two roles at least.
fn check_pairs(turns: &[Message]) -> Result<()> {
    let mut questions = turns.iter().step_by(2);
    let Some(first) = questions.next().filter(|first| is_role_name(first)) else {
        return Ok(());
    };
    let first = first.text();
    let mut other = None;
    for question in questions {
        if !is_role_name(question) {
            return Ok(());
        }
        if question.text() != first {
            other.get_or_insert(question.text());
        }
    }
    let Some(other) = other else { return Ok(()) };
    let message = format!("the questions are roles: `{first}`, `{other}`");
    let help = "a pair is a question and its answer; write messages: `vec![Message::user(\"…\"), Message::assistant(\"…\")]`";
    Err(Error::new(ErrorKind::History, message)
        .with_help(help)
        .inside("history"))
}

/// Whether a text is the name of a role, also as LangChain calls it.
fn is_role_name(message: &Message) -> bool {
    let text = message.text();
    Role::from_name(&text).is_some() || matches!(&*text, "human" | "ai")
}

/// The error for a system message that `serde` reads, if the program did not declare that it wrote the message.
fn system_in_json() -> Error {
    Error::new(
        ErrorKind::History,
        "a message that is read from JSON may not be a system message",
    )
    .with_help("remove it; or, if your program wrote it, use `History::parse_with_system`")
}

/// A user message and the assistant's answer.
fn pair<U: Into<Text>, A: Into<Text>>((user, assistant): (U, A)) -> [Message; 2] {
    [Message::user(user), Message::assistant(assistant)]
}

impl<U: Into<Text>, A: Into<Text>> FromIterator<(U, A)> for History {
    fn from_iter<I: IntoIterator<Item = (U, A)>>(pairs: I) -> History {
        let mut history: History = pairs.into_iter().flat_map(pair).collect();
        history.has_role_pairs = check_pairs(&history.turns).is_err();
        history
    }
}

impl FromIterator<Message> for History {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> History {
        History::from(Vec::from_iter(messages))
    }
}

impl<U: Into<Text>, A: Into<Text>, const N: usize> From<[(U, A); N]> for History {
    fn from(pairs: [(U, A); N]) -> History {
        History::from_iter(pairs)
    }
}

impl<U: Into<Text>, A: Into<Text>> From<Vec<(U, A)>> for History {
    fn from(pairs: Vec<(U, A)>) -> History {
        History::from_iter(pairs)
    }
}

impl From<Vec<Message>> for History {
    fn from(messages: Vec<Message>) -> History {
        History {
            turns: Arc::new(messages),
            ..History::default()
        }
    }
}

impl<const N: usize> From<[Message; N]> for History {
    fn from(messages: [Message; N]) -> History {
        History::from(Vec::from(messages))
    }
}

impl<'a> IntoIterator for &'a History {
    type Item = &'a Message;
    type IntoIter = std::slice::Iter<'a, Message>;

    fn into_iter(self) -> Self::IntoIter {
        self.turns.iter()
    }
}

impl IntoIterator for History {
    type Item = Message;
    type IntoIter = std::vec::IntoIter<Message>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.turns).into_iter()
    }
}

impl Serialize for History {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&*self.turns)
    }
}

impl<'de> Deserialize<'de> for History {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<History, D::Error> {
        History::read(&Json::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// A system message is an error: use [`History::parse_with_system`] for text that your program wrote.
impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Message, D::Error> {
        match read::parse_message(&Json::deserialize(deserializer)?) {
            Ok(message) if message.role == Role::System => Err(de::Error::custom(system_in_json())),
            read => read.map_err(de::Error::custom),
        }
    }
}

/// A type that a history field accepts: [`History`], messages, pairs of strings, or JSON of either.
///
/// Tools of [`Messages`] are ignored, because the prompt that contains the history defines which tools the model may use.
///
/// ```
/// use typed_prompt::history::ToHistory;
///
/// assert_eq!([("Hi", "Hello")].to_history()?.len(), 2);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a history",
    label = "no conversation",
    note = "use `History`, `&[Message]`, a list of pairs `&[(String, String)]`, or `serde_json::Value`"
)]
pub trait ToHistory {
    /// The messages.
    ///
    /// # Errors
    /// A turn that cannot be read, with its index.
    fn to_history(&self) -> Result<Cow<'_, [Message]>>;

    /// Adds the messages to those of a prompt. A type that keeps them as [`History`] does shares them; the default copies them.
    ///
    /// # Errors
    /// As [`to_history`](ToHistory::to_history).
    fn add_to(&self, messages: &mut Messages) -> Result<()> {
        messages.extend(self.to_history()?.into_owned());
        Ok(())
    }

    /// Whether the history may contain system messages, because your program wrote them. By default it may not: rendering fails for a
    /// system message that an end user could have written.
    fn allows_system(&self) -> bool {
        false
    }

    /// The messages, to be kept and shared by several renderings. The default copies them.
    ///
    /// # Errors
    /// As [`to_history`](ToHistory::to_history).
    fn to_shared(&self) -> Result<Arc<Vec<Message>>> {
        Ok(Arc::new(self.to_history()?.into_owned()))
    }
}

#[diagnostic::do_not_recommend]
impl ToHistory for History {
    fn to_history(&self) -> Result<Cow<'_, [Message]>> {
        Ok(Cow::Borrowed(self.checked_turns()?))
    }

    fn add_to(&self, messages: &mut Messages) -> Result<()> {
        messages.share_turns(self.checked_turns()?);
        Ok(())
    }

    fn allows_system(&self) -> bool {
        self.system
    }

    fn to_shared(&self) -> Result<Arc<Vec<Message>>> {
        self.checked_turns().map(Arc::clone)
    }
}

impl History {
    fn checked_turns(&self) -> Result<&Arc<Vec<Message>>> {
        if self.has_role_pairs {
            check_pairs(&self.turns)?;
        }
        Ok(&self.turns)
    }
}

macro_rules! histories {
    ($([$($generics:tt)*] $ty:ty, |$turns:ident| $read:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> ToHistory for $ty {
            fn to_history(&self) -> Result<Cow<'_, [Message]>> {
                let $turns = self;
                Ok($read)
            }
        }
    )*};
}

histories! {
    [] Messages, |turns| Cow::Borrowed(turns.as_slice());
    [] [Message], |turns| Cow::Borrowed(turns);
    [] Vec<Message>, |turns| Cow::Borrowed(turns);
    [U: AsRef<str>, A: AsRef<str>] [(U, A)], |pairs| Cow::Owned(turns_of(pairs)?);
    [U: AsRef<str>, A: AsRef<str>] Vec<(U, A)>, |pairs| Cow::Owned(turns_of(pairs)?);
    [U: AsRef<str>, A: AsRef<str>, const N: usize] [(U, A); N], |pairs| Cow::Owned(turns_of(pairs)?);
    [] Json, |json| Cow::Owned(read::parse_turns(json)?);
    [] serde_json::Value, |json| Cow::Owned(read::parse_turns(&Json::from(json))?);
}

fn turns_of<U: AsRef<str>, A: AsRef<str>>(pairs: &[(U, A)]) -> Result<Vec<Message>> {
    let pairs = pairs.iter();
    let turns: Vec<_> = pairs
        .flat_map(|(user, assistant)| pair((user.as_ref(), assistant.as_ref())))
        .collect();
    check_pairs(&turns).map(|()| turns)
}

#[diagnostic::do_not_recommend]
impl<T: ToHistory + ?Sized> ToHistory for &T {
    fn to_history(&self) -> Result<Cow<'_, [Message]>> {
        (**self).to_history()
    }

    fn add_to(&self, messages: &mut Messages) -> Result<()> {
        (**self).add_to(messages)
    }

    fn allows_system(&self) -> bool {
        (**self).allows_system()
    }

    fn to_shared(&self) -> Result<Arc<Vec<Message>>> {
        (**self).to_shared()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToHistory> ToHistory for Option<T> {
    fn to_history(&self) -> Result<Cow<'_, [Message]>> {
        self.as_ref()
            .map_or(Ok(Cow::Borrowed(&[])), ToHistory::to_history)
    }

    fn add_to(&self, messages: &mut Messages) -> Result<()> {
        self.as_ref().map_or(Ok(()), |turns| turns.add_to(messages))
    }

    fn allows_system(&self) -> bool {
        self.as_ref().is_some_and(ToHistory::allows_system)
    }

    fn to_shared(&self) -> Result<Arc<Vec<Message>>> {
        self.as_ref()
            .map_or_else(|| Ok(Arc::default()), ToHistory::to_shared)
    }
}
