//! A conversation as a chat template sees it.

use std::borrow::Cow;

use crate::json::Shape;
use crate::{
    Error, ErrorKind, Json, MediaKind, Message, MessageIter, Messages, Part, Result, Role, Text,
};

/// A conversation as a chat template sees it: roles by name, contents that are text or lists, tools as JSON.
///
/// [`Messages`] become one; JSON in the shape of OpenAI's API does too, also with roles that only some models support.
///
/// ```
/// use typed_prompt::{Message, Messages, format::{self, ChatInput, FormatOptions}};
///
/// let messages = Messages::from([Message::user("Hi")]);
/// let text = format::ZEPHYR.format_chat(&ChatInput::from(&messages), &FormatOptions::new())?;
/// assert_eq!(text.as_str(), "<|user|>\nHi</s>\n<|assistant|>\n");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ChatInput<'a> {
    messages: Option<&'a Messages>,
    /// The messages of a chat that is read from JSON.
    json: Vec<JsonMessage>,
    /// The training label as the last message.
    label: Option<Message>,
    pub(crate) tools: Option<Vec<Json>>,
}

/// One message of a [`ChatInput`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ChatMessage<'a> {
    Message(&'a Message),
    Json(&'a JsonMessage),
}

/// A message in the shape of OpenAI's API.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct JsonMessage {
    role: String,
    content: JsonContent,
    reasoning: Option<Text>,
    calls: Option<Vec<ChatCall>>,
    call_id: Option<String>,
    /// Keys that only some families read.
    extra: Vec<(String, Json)>,
}

#[derive(Clone, PartialEq, Debug, Default)]
enum JsonContent {
    #[default]
    Absent,
    Text(Text),
    Json(Json),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ChatContent<'a> {
    Absent,
    Text(&'a Text),
    /// Parts that are all text: they are joined.
    Texts(&'a [Part]),
    Parts(&'a [Part]),
    Json(&'a Json),
}

/// One item of a content that is a list.
pub(crate) enum ContentItem<'a> {
    Text(Cow<'a, Text>),
    /// Whether its type is the bare `image`, `audio` or `video`.
    Media(MediaKind, bool),
    Other(Json),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ChatCall {
    pub(crate) id: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: Json,
    /// The entries of `function` in their order.
    pub(crate) function: Vec<(String, Json)>,
}

impl ChatCall {
    /// Whether a result has the id of this call; the id of a call without one is its name.
    pub(crate) fn is_answered_by(&self, result: &ChatMessage<'_>) -> bool {
        result.call_id() == Some(self.id.as_deref().unwrap_or(&self.name))
    }
}

impl<'a> ChatMessage<'a> {
    #[inline]
    pub(crate) fn has_role(&self, role: Role) -> bool {
        self.role() == Some(role)
    }

    /// Whether it has this role, which only some models support.
    pub(crate) fn is_named(&self, role: &str) -> bool {
        self.role_name() == role
    }

    /// The role, or `None` for a role that only some models support.
    #[inline]
    pub(crate) fn role(&self) -> Option<Role> {
        match self {
            ChatMessage::Message(message) => Some(message.role),
            ChatMessage::Json(message) => Role::from_name(&message.role),
        }
    }

    pub(crate) fn role_name(&self) -> &'a str {
        match self {
            ChatMessage::Message(message) => message.role.name(),
            ChatMessage::Json(message) => &message.role,
        }
    }

    #[inline]
    pub(crate) fn content(&self) -> ChatContent<'a> {
        match self {
            ChatMessage::Message(message) => match &message.parts[..] {
                [Part::Text(text)] => ChatContent::Text(text),
                parts if message.is_text() => ChatContent::Texts(parts),
                parts => ChatContent::Parts(parts),
            },
            ChatMessage::Json(message) => match &message.content {
                JsonContent::Absent => ChatContent::Absent,
                JsonContent::Text(text) => ChatContent::Text(text),
                JsonContent::Json(json) => ChatContent::Json(json),
            },
        }
    }

    pub(crate) fn reasoning(&self) -> Option<&'a Text> {
        match self {
            ChatMessage::Message(message) => message.reasoning.as_ref(),
            ChatMessage::Json(message) => message.reasoning.as_ref(),
        }
    }

    /// The number of called tools, or `None` without a list of calls, which differs from an empty list.
    pub(crate) fn call_count(&self) -> Option<usize> {
        match self {
            ChatMessage::Message(message) => {
                Some(message.tool_calls.len()).filter(|count| *count > 0)
            }
            ChatMessage::Json(message) => message.calls.as_ref().map(Vec::len),
        }
    }

    pub(crate) fn has_calls(&self) -> bool {
        self.call_count().is_some_and(|count| count > 0)
    }

    /// The tool calls.
    pub(crate) fn tool_calls(&self) -> Option<Cow<'a, [ChatCall]>> {
        self.call_count()?;
        Some(match self {
            ChatMessage::Message(message) => {
                message.tool_calls.iter().map(ChatCall::from).collect()
            }
            ChatMessage::Json(message) => Cow::Borrowed(message.calls.as_deref()?),
        })
    }

    pub(crate) fn call_id(&self) -> Option<&'a str> {
        match self {
            ChatMessage::Message(message) => message.tool_call_id.as_deref(),
            ChatMessage::Json(message) => message.call_id.as_deref(),
        }
    }

    pub(crate) fn extra(&self, key: &str) -> Option<&'a Json> {
        let ChatMessage::Json(message) = self else {
            return None;
        };
        let entry = message.extra.iter().find(|entry| entry.0 == key)?;
        Some(&entry.1)
    }

    /// The name of the author, or of the tool of a result.
    pub(crate) fn name(&self) -> Option<String> {
        match self {
            ChatMessage::Message(message) => message.name.clone(),
            ChatMessage::Json(_) => self.extra("name").and_then(Json::as_string),
        }
    }

    /// The items of a content that is a list.
    pub(crate) fn items(&self) -> Option<Vec<ContentItem<'a>>> {
        match self.content() {
            ChatContent::Parts(parts) => Some(parts.iter().map(part_item).collect()),
            ChatContent::Json(json) => Some(json.items()?.into_iter().map(json_item).collect()),
            _ => None,
        }
    }
}

/// Iterates over the messages of a chat, with their indices.
#[derive(Clone)]
pub(crate) struct ChatTurns<'a> {
    chat: &'a ChatInput<'a>,
    next: usize,
    messages: MessageIter<'a>,
}

impl<'a> Iterator for ChatTurns<'a> {
    type Item = (usize, ChatMessage<'a>);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, ChatMessage<'a>)> {
        let turn = match self.messages.next() {
            Some(message) => ChatMessage::Message(message),
            None => self.chat.turn(self.next)?,
        };
        self.next += 1;
        Some((self.next - 1, turn))
    }
}

fn part_item(part: &Part) -> ContentItem<'_> {
    match part {
        Part::Text(text) => ContentItem::Text(Cow::Borrowed(text)),
        Part::Media(media) => ContentItem::Media(media.kind(), true),
    }
}

fn json_item<'a>(json: Json) -> ContentItem<'a> {
    let entries = json.entries().unwrap_or_default();
    let get = |key: &str| {
        entries
            .iter()
            .find(|entry| entry.0 == key)
            .map(|entry| &entry.1)
    };
    let kind = get("type").and_then(Json::as_string).unwrap_or_default();
    let media = |names: [&str; 3]| names.contains(&&*kind);
    match get("text").and_then(Json::as_string) {
        Some(text) if kind == "text" => ContentItem::Text(Cow::Owned(text.into())),
        _ if media(["image", "image_url", "input_image"]) => {
            ContentItem::Media(MediaKind::Image, kind == "image")
        }
        _ if media(["audio", "audio_url", "input_audio"]) => {
            ContentItem::Media(MediaKind::Audio, kind == "audio")
        }
        _ if media(["video", "video_url", "input_video"]) => {
            ContentItem::Media(MediaKind::Video, kind == "video")
        }
        _ => ContentItem::Other(json),
    }
}

impl<'a> From<&'a Messages> for ChatInput<'a> {
    fn from(messages: &'a Messages) -> ChatInput<'a> {
        let tools = messages.tools();
        ChatInput {
            messages: Some(messages),
            tools: (!tools.is_empty()).then(|| tools.iter().map(crate::Tool::to_json).collect()),
            ..ChatInput::default()
        }
    }
}

impl From<&crate::ToolCall> for ChatCall {
    fn from(call: &crate::ToolCall) -> ChatCall {
        let text = |text: &str| Json::from(serde_json::Value::from(text));
        let arguments = call.json().map(Json::with_unique_keys);
        let arguments = arguments.unwrap_or_else(|_| text(&call.arguments));
        let function = vec![
            ("name".to_owned(), text(&call.name)),
            ("arguments".to_owned(), arguments.clone()),
        ];
        ChatCall {
            id: call.id.clone(),
            kind: Some("function".to_owned()),
            name: call.name.clone(),
            arguments,
            function,
        }
    }
}

/// An estimate of the bytes of the delimiters of one message, so that the text is allocated once.
const AROUND: usize = 64;

impl<'a> ChatInput<'a> {
    /// The number of messages.
    pub(crate) fn len(&self) -> usize {
        self.message_count() + self.json.len() + usize::from(self.label.is_some())
    }

    fn message_count(&self) -> usize {
        self.messages.map_or(0, Messages::len)
    }

    /// The messages in order, with their indices.
    pub(crate) fn turns(&self) -> ChatTurns<'_> {
        ChatTurns {
            chat: self,
            next: 0,
            messages: self.messages.map(Messages::iter).unwrap_or_default(),
        }
    }

    /// A message by its index.
    pub(crate) fn turn(&self, at: usize) -> Option<ChatMessage<'_>> {
        match at.checked_sub(self.message_count()) {
            None => self.messages?.get(at).map(ChatMessage::Message),
            Some(rest) => self.after_messages(rest),
        }
    }

    /// A message that is read from JSON, or the label.
    fn after_messages(&self, index: usize) -> Option<ChatMessage<'_>> {
        let label = self.label.as_ref().filter(|_| index == self.json.len());
        let json = self.json.get(index).map(ChatMessage::Json);
        json.or_else(|| label.map(ChatMessage::Message))
    }

    pub(crate) fn first(&self) -> Option<ChatMessage<'_>> {
        self.turn(0)
    }

    /// The system message at the start.
    pub(crate) fn system(&self) -> Option<ChatMessage<'_>> {
        self.first().filter(|turn| turn.has_role(Role::System))
    }

    /// The index of the user's last message.
    pub(crate) fn last_user(&self) -> Option<usize> {
        let users = self.turns().filter(|(_, turn)| turn.has_role(Role::User));
        users.last().map(|(at, _)| at)
    }

    /// Whether a result is the first one in a row, and whether it is the last one.
    pub(crate) fn ends_of_results(&self, at: usize) -> (bool, bool) {
        let is_result = |at: usize| self.turn(at).is_some_and(|turn| turn.has_role(Role::Tool));
        (at == 0 || !is_result(at - 1), !is_result(at + 1))
    }

    pub(crate) fn last(&self) -> Option<ChatMessage<'_>> {
        let after = self.label.as_ref().map(ChatMessage::Message);
        let after = after.or_else(|| self.json.last().map(ChatMessage::Json));
        after.or_else(|| self.messages?.last().map(ChatMessage::Message))
    }

    /// The same conversation, with the training label as its last message.
    pub(crate) fn labelled(&self, label: Text) -> ChatInput<'a> {
        ChatInput {
            label: Some(Message::assistant(label)),
            ..self.clone()
        }
    }

    /// An estimate of the bytes and spans of the conversation as one text, and whether no message has reasoning or tool calls.
    pub(crate) fn summary(&self) -> (usize, usize, bool) {
        let turns = self.len();
        let start = ((turns + 1) * AROUND, 1, self.json.is_empty());
        let messages = self.messages.into_iter().flatten();
        messages.fold(start, |(mut bytes, mut spans, is_plain), message| {
            if let [Part::Text(text)] = &message.parts[..] {
                bytes += text.as_str().len();
                // Text of the template is before and after most slots; data without a slot is the whole text.
                spans += match text.data().len() {
                    0 | 1 => 1,
                    data => 2 * data + 1,
                };
            }
            let is_text = message.reasoning.is_none() & message.tool_calls.is_empty();
            (bytes, spans, is_plain & is_text)
        })
    }
}

impl ChatInput<'_> {
    /// Reads messages (and tools) in the shape of OpenAI's API.
    ///
    /// # Errors
    /// JSON of another shape, with the message's index.
    ///
    /// ```
    /// use typed_prompt::{format::ChatInput, message::Json};
    ///
    /// assert!(ChatInput::from_json(&Json::parse(r#"[{"role": "narrator", "content": "Rain."}]"#)?, None).is_ok());
    /// let error = ChatInput::from_json(&Json::parse(r#"[{"content": "Rain."}]"#)?, None).unwrap_err();
    /// assert_eq!(error.to_string(), "messages[0]: the message has no `role`");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_json(messages: &Json, tools: Option<&Json>) -> Result<ChatInput<'static>> {
        let items = messages.items().ok_or_else(|| {
            history_error(format!(
                "messages are a list, and this is {}",
                messages.shape().name()
            ))
        })?;
        let json = Json::parse_items(&items, "messages", parse_message)?;
        let tools = match tools {
            Some(tools) if tools.shape() != Shape::Null => {
                Some(tools.items().ok_or_else(|| {
                    history_error(format!(
                        "tools are a list, and this is {}",
                        tools.shape().name()
                    ))
                })?)
            }
            _ => None,
        };
        Ok(ChatInput {
            json,
            tools,
            ..ChatInput::default()
        })
    }
}

fn parse_message(json: &Json) -> Result<JsonMessage> {
    let entries = json.entries().ok_or_else(|| {
        history_error(format!(
            "a message is an object, and this is {}",
            json.shape().name()
        ))
    })?;
    let mut message = JsonMessage::default();
    // Some clients send the reasoning under several names; the first of this order counts.
    for key in ["reasoning", "thinking", "reasoning_content"] {
        if let Some(text) = entries
            .iter()
            .find(|entry| entry.0 == key)
            .and_then(|entry| entry.1.as_string())
        {
            message.reasoning = Some(text.into());
        }
    }
    for (key, value) in entries {
        match (&*key, value.shape()) {
            (_, Shape::Null) => {}
            ("role", _) => message.role = parse_string(&key, &value)?,
            ("content", Shape::Str) => {
                message.content = JsonContent::Text(parse_string(&key, &value)?.into());
            }
            ("content", _) => message.content = JsonContent::Json(value),
            ("tool_calls", _) => message.calls = Some(parse_calls(&value)?),
            ("tool_call_id", _) => message.call_id = Some(parse_string(&key, &value)?),
            ("reasoning_content" | "thinking" | "reasoning", _) => {}
            _ => message.extra.push((key, value)),
        }
    }
    if message.role.is_empty() {
        return Err(history_error("the message has no `role`".to_owned()));
    }
    Ok(message)
}

fn parse_calls(json: &Json) -> Result<Vec<ChatCall>> {
    let items = json.items().ok_or_else(|| {
        history_error(format!(
            "`tool_calls` is a list, and this is {}",
            json.shape().name()
        ))
    })?;
    Json::parse_items(&items, "tool_calls", parse_call)
}

fn parse_call(json: &Json) -> Result<ChatCall> {
    let object = |json: &Json| {
        json.entries().ok_or_else(|| {
            history_error(format!(
                "a tool call is an object, and this is {}",
                json.shape().name()
            ))
        })
    };
    let entries = object(json)?;
    let find = |entries: &[(String, Json)], key: &str| {
        entries
            .iter()
            .find(|entry| entry.0 == key)
            .map(|entry| entry.1.clone())
    };
    let function = find(&entries, "function")
        .map_or_else(|| Ok(entries.clone()), |function| object(&function))?;
    let name = find(&function, "name")
        .and_then(|name| name.as_string())
        .ok_or_else(|| history_error("a tool call has no name".to_owned()))?;
    let arguments =
        find(&function, "arguments").unwrap_or_else(|| Json::from(serde_json::json!({})));
    let arguments = arguments.with_unique_keys();
    let text = |key| find(&entries, key).and_then(|value| value.as_string());
    Ok(ChatCall {
        id: text("id"),
        kind: text("type"),
        name,
        arguments,
        function,
    })
}

fn parse_string(key: &str, json: &Json) -> Result<String> {
    json.as_string().ok_or_else(|| {
        history_error(format!(
            "`{key}` is a string, and this is {}",
            json.shape().name()
        ))
    })
}

fn history_error(message: String) -> Error {
    Error::new(ErrorKind::History, message)
}
