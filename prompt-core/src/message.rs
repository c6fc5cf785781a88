//! Messages and their parts: a conversation, a message with its role, parts, tool calls and reasoning, and text with the ranges of
//! it that are data.

use std::borrow::Cow;
use std::iter::FusedIterator;
use std::ops::{Index, Range};
use std::sync::{Arc, OnceLock};
use std::{fmt, slice};

use crate::{AnnotatedText, ChatFormat, Error, ErrorKind, Media, Result, Tool, ToolCall};

/// The role of a message.
///
/// ```
/// assert_eq!(typed_prompt::Role::Assistant.name(), "assistant");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Role {
    /// Instructions of the program.
    System,
    /// The end user, or the program in their place.
    User,
    /// The model.
    Assistant,
    /// The result of a tool that the model called.
    Tool,
}

impl Role {
    /// The role in lower case, as chat APIs write it.
    ///
    /// ```
    /// assert_eq!(typed_prompt::Role::Tool.name(), "tool");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }

    /// The role with this name.
    ///
    /// ```
    /// use typed_prompt::Role;
    ///
    /// assert_eq!(Role::from_name("user"), Some(Role::User));
    /// assert_eq!(Role::from_name("narrator"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Role> {
        [Role::System, Role::User, Role::Assistant, Role::Tool]
            .into_iter()
            .find(|role| role.name() == name)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One message: a role, its parts, and the calls or results of tools.
///
/// `==` also compares which text came from which slot, as for [`Text`]: a test compares [`text`](Message::text) and the role.
///
/// ```
/// use typed_prompt::{Media, Message, Role};
///
/// let message = Message::user("What is this?").with_media(Media::image_url("https://example.com/a.png"));
/// assert_eq!((message.role, message.parts.len()), (Role::User, 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Message {
    /// The role.
    pub role: Role,
    /// Text and media in order.
    pub parts: Vec<Part>,
    /// The tools that the assistant calls.
    pub tool_calls: Vec<ToolCall>,
    /// The id of the tool call that a tool's result belongs to.
    pub tool_call_id: Option<String>,
    /// The name of the speaker, or of the tool that returned the result.
    pub name: Option<String>,
    /// The reasoning that precedes the text, if the server or the chat format separates it.
    pub reasoning: Option<Text>,
}

impl Message {
    /// Returns a message with a text. A plain string counts as data.
    ///
    /// ```
    /// use typed_prompt::{Message, Role, message::Text};
    ///
    /// assert_eq!(Message::new(Role::User, Text::template("Go on.")).text(), "Go on.");
    /// ```
    pub fn new(role: Role, text: impl Into<Text>) -> Message {
        let text = text.into();
        let parts = if text.is_empty() {
            Vec::new()
        } else {
            vec![Part::Text(text)]
        };
        Message::of_parts(role, parts)
    }

    pub(crate) fn of_parts(role: Role, parts: Vec<Part>) -> Message {
        Message {
            role,
            parts,
            tool_calls: Vec::new(),
            tool_call_id: None,
            name: None,
            reasoning: None,
        }
    }

    /// Returns a system message. Your program must have written or reviewed its text.
    ///
    /// ```
    /// assert_eq!(typed_prompt::Message::system("Be brief.").role, typed_prompt::Role::System);
    /// ```
    pub fn system(text: impl Into<Text>) -> Message {
        Message::new(Role::System, text)
    }

    /// Returns a user message.
    ///
    /// ```
    /// assert_eq!(typed_prompt::Message::user("Hi").role, typed_prompt::Role::User);
    /// ```
    pub fn user(text: impl Into<Text>) -> Message {
        Message::new(Role::User, text)
    }

    /// Returns an assistant message.
    ///
    /// ```
    /// assert_eq!(typed_prompt::Message::assistant("Hello").role, typed_prompt::Role::Assistant);
    /// ```
    pub fn assistant(text: impl Into<Text>) -> Message {
        Message::new(Role::Assistant, text)
    }

    /// Returns an assistant message with tool calls and without text.
    ///
    /// ```
    /// use typed_prompt::{Message, ToolCall};
    ///
    /// let call = ToolCall::new("c1", "weather", r#"{"city":"Brest"}"#);
    /// assert_eq!(Message::calls([call]).tool_calls[0].name, "weather");
    /// ```
    pub fn calls(calls: impl IntoIterator<Item = ToolCall>) -> Message {
        Message::assistant("").with_tool_calls(calls)
    }

    /// Adds tool calls after those that the message has.
    ///
    /// ```
    /// use typed_prompt::{Message, ToolCall};
    ///
    /// let message = Message::assistant("Let me look.").with_tool_calls([ToolCall::new("c1", "weather", "{}")]);
    /// assert_eq!((message.text().as_ref(), message.tool_calls.len()), ("Let me look.", 1));
    /// ```
    pub fn with_tool_calls(mut self, calls: impl IntoIterator<Item = ToolCall>) -> Message {
        self.tool_calls.extend(calls);
        self
    }

    /// Returns the message with the result of a tool call.
    ///
    /// ```
    /// let message = typed_prompt::Message::tool("c1", "21 °C");
    /// assert_eq!(message.tool_call_id.as_deref(), Some("c1"));
    /// ```
    pub fn tool(call_id: impl Into<String>, text: impl Into<Text>) -> Message {
        Message {
            tool_call_id: Some(call_id.into()),
            ..Message::new(Role::Tool, text)
        }
    }

    /// Adds an image, audio, video or file at the end.
    ///
    /// ```
    /// use typed_prompt::{Media, Message};
    ///
    /// assert_eq!(Message::user("Look: ").with_media(Media::image_url("u")).parts.len(), 2);
    /// ```
    pub fn with_media(mut self, media: Media) -> Message {
        self.parts.push(Part::Media(media));
        self
    }

    /// Sets the name of the speaker, or of the tool that returned the result.
    ///
    /// ```
    /// let message = typed_prompt::Message::tool("c1", "21 °C").with_name("weather");
    /// assert_eq!(message.name.as_deref(), Some("weather"));
    /// ```
    pub fn with_name(mut self, name: impl Into<String>) -> Message {
        self.name = Some(name.into());
        self
    }

    /// Sets the reasoning that precedes the text. Each chat format has its own rule for reasoning in earlier messages: most formats
    /// write it only until the next user message.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format};
    ///
    /// let row = Messages::from([Message::user("2+2?"), Message::assistant("4").with_reasoning("Easy.")]);
    /// let text = row.to_text(format::QWEN3.continued())?;
    /// assert!(text.ends_with("<|im_start|>assistant\n<think>\nEasy.\n</think>\n\n4"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn with_reasoning(mut self, text: impl Into<Text>) -> Message {
        self.reasoning = Some(text.into()).filter(|text| !text.is_empty());
        self
    }

    /// The text of all its parts; media has none.
    ///
    /// ```
    /// use typed_prompt::{Media, Message};
    ///
    /// assert_eq!(Message::user("Look: ").with_media(Media::image_url("u")).text(), "Look: ");
    /// ```
    pub fn text(&self) -> Cow<'_, str> {
        match &self.parts[..] {
            [] => Cow::Borrowed(""),
            [Part::Text(text)] => Cow::Borrowed(text.as_str()),
            _ => Cow::Owned(self.texts().map(Text::as_str).collect()),
        }
    }

    /// The parts that are text.
    ///
    /// ```
    /// assert_eq!(typed_prompt::Message::user("Hi").texts().count(), 1);
    /// ```
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            Part::Media(_) => None,
        })
    }

    /// Whether every part is text.
    ///
    /// ```
    /// use typed_prompt::{Media, Message};
    ///
    /// assert!(!Message::user("Look: ").with_media(Media::image_url("u")).is_text());
    /// ```
    pub fn is_text(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Text(_)))
    }

    /// All its text with what in it is data.
    pub(crate) fn whole_text(&self) -> Cow<'_, Text> {
        match &self.parts[..] {
            [Part::Text(text)] => Cow::Borrowed(text),
            _ => {
                let mut whole = Text::new();
                self.texts().for_each(|text| whole.push(text));
                Cow::Owned(whole)
            }
        }
    }

    /// Appends text to the last part, or adds a part where the last one is not text.
    ///
    /// ```
    /// use typed_prompt::{Message, message::Text};
    ///
    /// let mut message = Message::user("2+2");
    /// message.push_text(&Text::template("=?"));
    /// assert_eq!((message.parts.len(), &*message.text()), (1, "2+2=?"));
    /// ```
    pub fn push_text(&mut self, text: &Text) {
        match self.parts.last_mut() {
            Some(Part::Text(last)) => last.push(text),
            _ => self.parts.push(Part::Text(text.clone())),
        }
    }
}

/// A role in JSON.
pub(crate) fn role_named(name: &str) -> Result<Role> {
    Role::from_name(name).ok_or_else(|| {
        let error = Error::new(ErrorKind::History, format!("there is no role `{name}`"));
        error.with_help(match name {
            "developer" => {
                "write `system`, which APIs with a developer role read as that".to_owned()
            }
            "function" => "write `tool`, with the `tool_call_id` that it answers".to_owned(),
            _ => "use `system`, `user`, `assistant` or `tool`".to_owned(),
        })
    })
}

/// A part of a message: text, or an image, audio, video or file.
///
/// ```
/// use typed_prompt::{Media, message::Part};
///
/// let parts = [Part::from("What is this?"), Part::from(Media::image_url("https://example.com/a.png"))];
/// assert!(matches!(parts[0], Part::Text(_)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Part {
    /// Text, with the ranges that came from data.
    Text(Text),
    /// Anything that is not text.
    Media(Media),
}

/// Text, with the ranges of it that are data.
///
/// `==` compares the ranges too, with the names of their slots: a test compares [`as_str`](Text::as_str).
///
/// ```
/// use typed_prompt::message::Text;
///
/// let mut text = Text::template("Hello, ");
/// text.push_data(Some("name"), "Ada");
/// assert_eq!(text.as_str(), "Hello, Ada");
/// assert_eq!(text.data()[0].range, 7..10);
/// assert_eq!(text.data()[0].slot, Some("name"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    text: String,
    /// In order, not adjacent for one slot, never empty, on character boundaries.
    data: Vec<DataSpan>,
}

/// A range of a [`Text`] that came from data.
///
/// ```
/// use typed_prompt::message::{DataSpan, Text};
///
/// assert_eq!(Text::from("abc").data(), [DataSpan { range: 0..3, slot: None }]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DataSpan {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// The slot that the data filled, by its name as in [`PromptInfo::slots`](crate::PromptInfo::slots); `None` for data without a slot, such as a message of the history.
    pub slot: Option<&'static str>,
}

/// The source of a range of text.
///
/// ```
/// use typed_prompt::message::{Origin, Text};
///
/// let mut text = Text::template("Hi ");
/// text.push_data(Some("name"), "Bo");
/// let pieces: Vec<_> = text.pieces().collect();
/// assert_eq!(pieces, [("Hi ", Origin::Template), ("Bo", Origin::Data(Some("name")))]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// The format: role delimiters, control tokens, fixed sections.
    Structure,
    /// The author of the prompt.
    Template,
    /// A value, and the slot that it filled.
    Data(Option<&'static str>),
}

impl Text {
    /// An empty text.
    pub fn new() -> Text {
        Text::default()
    }

    /// Literal text of a template.
    ///
    /// ```
    /// assert!(typed_prompt::message::Text::template("Hi").data().is_empty());
    /// ```
    pub fn template(text: &'static str) -> Text {
        Text {
            text: text.to_owned(),
            data: Vec::new(),
        }
    }

    pub(crate) fn with_capacity(bytes: usize) -> Text {
        Text {
            text: String::with_capacity(bytes),
            data: Vec::new(),
        }
    }

    /// Reserves capacity for this many more bytes, with this many ranges of data.
    ///
    /// ```
    /// let mut text = typed_prompt::message::Text::new();
    /// text.reserve(100, 2);
    /// assert!(text.is_empty());
    /// ```
    pub fn reserve(&mut self, bytes: usize, data: usize) {
        self.text.reserve(bytes);
        self.data.reserve(data);
    }

    /// Appends literal text of a template.
    ///
    /// ```
    /// let mut text = typed_prompt::message::Text::new();
    /// text.push_template("Hello");
    /// assert!(text.data().is_empty());
    /// ```
    #[inline]
    pub fn push_template(&mut self, text: &'static str) {
        self.text.push_str(text);
    }

    /// Appends template text that is made at run time, such as a title made from a field's name.
    pub(crate) fn push_own(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends data of a slot.
    ///
    /// ```
    /// let mut text = typed_prompt::message::Text::new();
    /// text.push_data(Some("name"), "Ada");
    /// assert_eq!(text.data()[0].slot, Some("name"));
    /// ```
    pub fn push_data(&mut self, slot: Option<&'static str>, data: &str) {
        if data.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(data);
        match self.data.last_mut() {
            Some(last) if last.range.end == start && last.slot == slot => {
                last.range.end = self.text.len();
            }
            _ => self.data.push(DataSpan {
                range: start..self.text.len(),
                slot,
            }),
        }
    }

    /// Appends text of a source, as [`pieces`](Text::pieces) returns it.
    ///
    /// [`Origin::Template`] and [`Origin::Structure`] are for text that the author of the prompt wrote, such as a template
    /// that is loaded at run time. Values are always [`Origin::Data`]: only their control tokens are guarded.
    ///
    /// ```
    /// use typed_prompt::message::{Origin, Text};
    ///
    /// let mut text = Text::new();
    /// text.push_from(Origin::Template, &"-".repeat(3));
    /// text.push_from(Origin::Data(None), "a");
    /// assert_eq!((text.as_str(), text.data()[0].range.start), ("---a", 3));
    /// ```
    pub fn push_from(&mut self, source: Origin, text: &str) {
        match source {
            Origin::Data(slot) => self.push_data(slot, text),
            Origin::Structure | Origin::Template => self.push_own(text),
        }
    }

    /// Appends another text with its data.
    ///
    /// ```
    /// use typed_prompt::message::Text;
    ///
    /// let mut text = Text::template("Q: ");
    /// text.push(&Text::from("why?"));
    /// assert_eq!((text.as_str(), text.data().len()), ("Q: why?", 1));
    /// ```
    pub fn push(&mut self, other: &Text) {
        self.push_in(None, other);
    }

    /// Appends another text; its data without a slot becomes data of this slot.
    ///
    /// ```
    /// use typed_prompt::message::Text;
    ///
    /// let mut text = Text::template("Q: ");
    /// text.push_in(Some("question"), &Text::from("why?"));
    /// assert_eq!(text.data()[0].slot, Some("question"));
    /// ```
    pub fn push_in(&mut self, slot: Option<&'static str>, other: &Text) {
        if let [whole] = &other.data[..]
            && whole.range.len() == other.text.len()
        {
            return self.push_data(whole.slot.or(slot), &other.text);
        }
        for (piece, source) in other.pieces() {
            match source {
                Origin::Data(of) => self.push_data(of.or(slot), piece),
                _ => self.text.push_str(piece),
            }
        }
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The ranges that came from data, in order.
    pub fn data(&self) -> &[DataSpan] {
        &self.data
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text in pieces of one source each.
    ///
    /// ```
    /// use typed_prompt::message::{Origin, Text};
    ///
    /// assert_eq!(Text::template("Hi").pieces().next(), Some(("Hi", Origin::Template)));
    /// ```
    pub fn pieces(&self) -> impl Iterator<Item = (&str, Origin)> {
        let mut at = 0;
        let mut data = self.data.iter().peekable();
        std::iter::from_fn(move || {
            let next = data.peek();
            let (end, source) = match next {
                Some(next) if next.range.start == at => (next.range.end, Origin::Data(next.slot)),
                Some(next) => (next.range.start, Origin::Template),
                None if at < self.text.len() => (self.text.len(), Origin::Template),
                None => return None,
            };
            if matches!(source, Origin::Data(_)) {
                data.next();
            }
            let piece = &self.text[at..end];
            at = end;
            Some((piece, source))
        })
    }

    /// Returns the string without its data ranges.
    pub(crate) fn into_string(self) -> String {
        self.text
    }

    /// The text, and the ranges that came from data.
    ///
    /// ```
    /// let (text, data) = typed_prompt::message::Text::template("Hi").into_parts();
    /// assert_eq!((text.as_str(), data.len()), ("Hi", 0));
    /// ```
    pub fn into_parts(self) -> (String, Vec<DataSpan>) {
        (self.text, self.data)
    }

    /// A range of the text, with the data in it.
    ///
    /// # Panics
    /// If the range is not in the text, or not on character boundaries.
    ///
    /// ```
    /// let mut text = typed_prompt::message::Text::template("Hello, ");
    /// text.push_data(Some("name"), "Ada");
    /// assert_eq!(text.slice(5..8).data()[0].range, 2..3);
    /// ```
    pub fn slice(&self, range: Range<usize>) -> Text {
        let cut = |at: usize| at.clamp(range.start, range.end) - range.start;
        let first = self
            .data
            .partition_point(|data| data.range.end <= range.start);
        let inside = self.data[first..]
            .iter()
            .take_while(|data| data.range.start < range.end);
        let data = inside.map(|data| DataSpan {
            range: cut(data.range.start)..cut(data.range.end),
            slot: data.slot,
        });
        Text {
            text: self.text[range.clone()].to_owned(),
            data: data.collect(),
        }
    }
}

/// The inverse of [`Text::pieces`]. Pieces of any source but [`Origin::Data`] are not searched by the guard: they come from
/// the program or its configuration, never from a user.
///
/// ```
/// use typed_prompt::message::{Origin, Text};
///
/// let greeting = String::from("Hello, ");
/// let text = Text::from_iter([(&*greeting, Origin::Template), ("Ada", Origin::Data(Some("name")))]);
/// assert_eq!((text.as_str(), text.data().len()), ("Hello, Ada", 1));
/// ```
impl<'a> FromIterator<(&'a str, Origin)> for Text {
    fn from_iter<I: IntoIterator<Item = (&'a str, Origin)>>(pieces: I) -> Text {
        let mut text = Text::new();
        text.extend(pieces);
        text
    }
}

impl<'a> Extend<(&'a str, Origin)> for Text {
    fn extend<I: IntoIterator<Item = (&'a str, Origin)>>(&mut self, pieces: I) {
        for (piece, source) in pieces {
            self.push_from(source, piece);
        }
    }
}

/// Text of unknown origin counts as data.
impl From<String> for Text {
    fn from(text: String) -> Text {
        let data = if text.is_empty() {
            Vec::new()
        } else {
            vec![DataSpan {
                range: 0..text.len(),
                slot: None,
            }]
        };
        Text { text, data }
    }
}

/// Text of unknown origin counts as data.
impl From<&String> for Text {
    fn from(text: &String) -> Text {
        Text::from(text.as_str())
    }
}

/// Text of unknown origin counts as data.
impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::from(text.to_owned())
    }
}

impl From<Text> for Part {
    fn from(text: Text) -> Part {
        Part::Text(text)
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.into())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text.into())
    }
}

impl From<Media> for Part {
    fn from(media: Media) -> Part {
        Part::Media(media)
    }
}

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

    /// The number of messages.
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
        self.messages.tail_mut().push(message);
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
    pub(crate) fn share_turns(&mut self, turns: &Arc<Vec<Message>>) {
        self.messages.share_turns(turns);
    }

    /// Adds the messages of several shared histories.
    pub(crate) fn share_all_turns(&mut self, all: &[&Arc<Vec<Message>>]) {
        // One more for the messages that follow them.
        self.messages.rest.reserve(all.len() + 1);
        all.iter().for_each(|turns| self.share_turns(turns));
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
        format.format_messages(self).map(AnnotatedText::into_string)
    }

    /// The same text, with the source of each segment.
    ///
    /// # Errors
    /// As [`to_text`](Messages::to_text).
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, format};
    ///
    /// let wrapped = Messages::from([Message::user("Hi")]).to_annotated_text(format::LLAMA2)?;
    /// assert_eq!(wrapped.pieces().count(), 3);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn to_annotated_text(&self, format: impl ChatFormat) -> Result<AnnotatedText> {
        format.format_messages(self)
    }

    /// Adds the messages and tools of another.
    pub(crate) fn append_messages(&mut self, other: &Messages) {
        self.messages.tail_mut().extend(other.iter().cloned());
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
        self.messages.tail_mut().extend(messages);
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
    rest: Vec<MessageRun>,
    /// All messages in one slice, once they were requested as a slice.
    whole: OnceLock<Vec<Message>>,
}

#[derive(Clone)]
enum MessageRun {
    Shared(Arc<Vec<Message>>),
    Own(Vec<Message>),
}

impl MessageRun {
    fn as_slice(&self) -> &[Message] {
        match self {
            MessageRun::Shared(turns) => turns,
            MessageRun::Own(own) => own,
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
                MessageRun::Shared(turns) => Arc::unwrap_or_clone(turns),
                MessageRun::Own(own) => own,
            });
        }
        all
    }

    /// The owned messages at the end, to which messages can be added.
    fn tail_mut(&mut self) -> &mut Vec<Message> {
        self.whole.take();
        if let Some(MessageRun::Shared(_)) = self.rest.last() {
            self.rest.push(MessageRun::Own(Vec::new()));
        }
        match self.rest.last_mut() {
            Some(MessageRun::Own(own)) => own,
            _ => &mut self.first,
        }
    }

    /// Adds shared messages.
    fn share_turns(&mut self, turns: &Arc<Vec<Message>>) {
        if turns.is_empty() {
            return;
        }
        self.whole.take();
        self.rest.push(MessageRun::Shared(Arc::clone(turns)));
    }

    /// The last message of a role, mutable.
    fn last_of_mut(&mut self, role: Role) -> Option<&mut Message> {
        let is_in_tail = self.tail_mut().iter().any(|message| message.role == role);
        let messages = if is_in_tail {
            self.tail_mut()
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
    rest: slice::Iter<'a, MessageRun>,
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

    /// Skips whole runs of messages.
    fn nth(&mut self, mut skipped: usize) -> Option<&'a Message> {
        while skipped >= self.front.len()
            && let Some(run) = self.rest.next()
        {
            skipped -= self.front.len();
            self.front = run.as_slice().iter();
        }
        let front = self.front.len();
        let found = self.front.nth(skipped);
        found.or_else(|| self.back.nth(skipped - front))
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
        all.share_turns(&Arc::new(of(&["b", "c"])));
        all.share_turns(&Arc::new(of(&["d"])));
        all.share_turns(&Arc::new(Vec::new()));
        all.tail_mut().push(Message::user("e"));
        all.share_turns(&Arc::new(of(&["f"])));
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
        all.tail_mut().push(Message::assistant("g"));
        expected.push(Message::assistant("g"));
        assert_eq!(all.as_slice(), expected);
        all.tail_mut().extend([Message::user("h")]);
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
        all.share_turns(&turns);
        all.as_mut()[0].role = Role::Assistant;
        assert_eq!(*turns, of(&["a"]));
    }
}
