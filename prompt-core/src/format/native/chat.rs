//! A conversation as a chat template sees it.

use std::borrow::Cow;

use crate::json::Shape;
use crate::{Error, ErrorKind, Json, MediaKind, Message, Messages, Part, Result, Text};

/// A conversation as a chat template sees it: roles by name, contents that are text or lists, tools as JSON.
///
/// [`Messages`] become one; JSON in the shape of OpenAI's API does too, also with roles that only some models know.
///
/// ```
/// use prompt_core::format::{self, Chat, FormatOptions};
/// use prompt_core::{Message, Messages};
///
/// let messages = Messages::from([Message::user("Hi")]);
/// let wrapped = format::ZEPHYR.wrap_chat(&Chat::from(&messages), FormatOptions::default())?;
/// assert_eq!(wrapped.as_str(), "<|user|>\nHi</s>\n<|assistant|>\n");
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Chat<'a> {
    pub(crate) turns: Vec<Turn<'a>>,
    pub(crate) tools: Option<Vec<Json>>,
}

/// One message of a [`Chat`].
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Turn<'a> {
    pub(crate) role: Cow<'a, str>,
    pub(crate) content: Content<'a>,
    /// What few messages have. It is boxed to keep the others small.
    more: Option<Box<TurnExtras<'a>>>,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct TurnExtras<'a> {
    reasoning: Option<Text>,
    calls: Option<Vec<Call>>,
    call_id: Option<Cow<'a, str>>,
    /// Keys that only some families read.
    extra: Vec<(String, Json)>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Content<'a> {
    Absent,
    Text(Cow<'a, Text>),
    Parts(&'a [Part]),
    Json(Json),
}

/// One item of a content that is a list.
pub(crate) enum Item<'a> {
    Text(Cow<'a, Text>),
    /// Whether its type is the bare `image`, `audio` or `video`.
    Media(MediaKind, bool),
    Other(Json),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Call {
    pub(crate) id: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: Json,
    /// The entries of `function` in their order.
    pub(crate) function: Vec<(String, Json)>,
}

impl<'a> Turn<'a> {
    /// A message of the assistant.
    pub(crate) fn assistant(text: Text) -> Turn<'a> {
        Turn {
            role: Cow::Borrowed("assistant"),
            content: Content::Text(Cow::Owned(text)),
            more: None,
        }
    }

    #[inline]
    pub(crate) fn is(&self, role: &str) -> bool {
        self.role == role
    }

    pub(crate) fn has_calls(&self) -> bool {
        self.calls().is_some_and(|calls| !calls.is_empty())
    }

    pub(crate) fn reasoning(&self) -> Option<&Text> {
        self.more.as_ref()?.reasoning.as_ref()
    }

    /// The tool calls; a list that is given and empty is not none.
    pub(crate) fn calls(&self) -> Option<&[Call]> {
        self.more.as_ref()?.calls.as_deref()
    }

    pub(crate) fn call_id(&self) -> Option<&str> {
        self.more.as_ref()?.call_id.as_deref()
    }

    pub(crate) fn extra(&self, key: &str) -> Option<&Json> {
        Some(
            &self
                .more
                .as_ref()?
                .extra
                .iter()
                .find(|entry| entry.0 == key)?
                .1,
        )
    }

    /// The items of a content that is a list.
    pub(crate) fn items(&self) -> Option<Vec<Item<'_>>> {
        match &self.content {
            Content::Parts(parts) => Some(parts.iter().map(part_item).collect()),
            Content::Json(json) => Some(json.items()?.into_iter().map(json_item).collect()),
            _ => None,
        }
    }
}

fn part_item(part: &Part) -> Item<'_> {
    match part {
        Part::Text(text) => Item::Text(Cow::Borrowed(text)),
        Part::Media(media) => Item::Media(media.kind(), true),
    }
}

fn json_item<'a>(json: Json) -> Item<'a> {
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
        Some(text) if kind == "text" => Item::Text(Cow::Owned(text.into())),
        _ if media(["image", "image_url", "input_image"]) => {
            Item::Media(MediaKind::Image, kind == "image")
        }
        _ if media(["audio", "audio_url", "input_audio"]) => {
            Item::Media(MediaKind::Audio, kind == "audio")
        }
        _ if media(["video", "video_url", "input_video"]) => {
            Item::Media(MediaKind::Video, kind == "video")
        }
        _ => Item::Other(json),
    }
}

impl<'a> From<&'a Messages> for Chat<'a> {
    fn from(messages: &'a Messages) -> Chat<'a> {
        let tools = messages.tools();
        let tools = (!tools.is_empty()).then(|| tools.iter().map(crate::Tool::to_json).collect());
        Chat {
            turns: messages.iter().map(Turn::from).collect(),
            tools,
        }
    }
}

impl<'a> From<&'a Message> for Turn<'a> {
    #[inline]
    fn from(message: &'a Message) -> Turn<'a> {
        let content = match &message.parts[..] {
            [] => Content::Text(Cow::Owned(Text::new())),
            [Part::Text(text)] => Content::Text(Cow::Borrowed(text)),
            _ if message.is_text() => Content::Text(message.whole_text()),
            parts => Content::Parts(parts),
        };
        Turn {
            role: Cow::Borrowed(message.role.name()),
            content,
            more: TurnExtras::of(message),
        }
    }
}

impl<'a> TurnExtras<'a> {
    #[inline]
    fn of(message: &'a Message) -> Option<Box<TurnExtras<'a>>> {
        if message.tool_calls.is_empty()
            && message.tool_call_id.is_none()
            && message.reasoning.is_none()
        {
            return None;
        }
        let calls: Vec<_> = message.tool_calls.iter().map(Call::from).collect();
        Some(Box::new(TurnExtras {
            reasoning: message.reasoning.clone(),
            calls: (!calls.is_empty()).then_some(calls),
            call_id: message.tool_call_id.as_deref().map(Cow::Borrowed),
            ..TurnExtras::default()
        }))
    }
}

impl From<&crate::ToolCall> for Call {
    fn from(call: &crate::ToolCall) -> Call {
        let text = |text: &str| Json::from(serde_json::Value::from(text));
        let arguments = call.json().unwrap_or_else(|_| text(&call.arguments));
        let function = vec![
            ("name".to_owned(), text(&call.name)),
            ("arguments".to_owned(), arguments.clone()),
        ];
        Call {
            id: call.id.clone(),
            kind: Some("function".to_owned()),
            name: call.name.clone(),
            arguments,
            function,
        }
    }
}

/// An estimate of the bytes of the delimiters of one message.
const AROUND: usize = 64;

impl Chat<'_> {
    /// An estimate of the length of the conversation as one text.
    pub(crate) fn size(&self) -> usize {
        let size = |turn: &Turn<'_>| match &turn.content {
            Content::Text(text) => text.as_str().len(),
            _ => 0,
        };
        self.turns
            .iter()
            .map(|turn| size(turn) + AROUND)
            .sum::<usize>()
            + AROUND
    }

    /// Reads messages (and tools) in the shape of OpenAI's API.
    ///
    /// # Errors
    /// JSON of another shape, with the message's index.
    ///
    /// ```
    /// use prompt_core::{Json, format::Chat};
    ///
    /// assert!(Chat::from_json(&Json::parse(r#"[{"role": "narrator", "content": "Rain."}]"#)?, None).is_ok());
    /// let error = Chat::from_json(&Json::parse(r#"[{"content": "Rain."}]"#)?, None).unwrap_err();
    /// assert_eq!(error.to_string(), "messages[0]: the message has no `role`");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn from_json(messages: &Json, tools: Option<&Json>) -> Result<Chat<'static>> {
        let items = messages.items().ok_or_else(|| {
            wrong(format!(
                "messages are a list, and this is {}",
                messages.shape().name()
            ))
        })?;
        let turns = Json::each(&items, "messages", turn)?;
        let tools = match tools {
            Some(tools) if tools.shape() != Shape::Null => {
                Some(tools.items().ok_or_else(|| {
                    wrong(format!(
                        "tools are a list, and this is {}",
                        tools.shape().name()
                    ))
                })?)
            }
            _ => None,
        };
        Ok(Chat { turns, tools })
    }
}

fn turn(json: &Json) -> Result<Turn<'static>> {
    let entries = json.entries().ok_or_else(|| {
        wrong(format!(
            "a message is an object, and this is {}",
            json.shape().name()
        ))
    })?;
    let mut turn = Turn {
        role: Cow::Borrowed(""),
        content: Content::Absent,
        more: None,
    };
    let mut more = TurnExtras::default();
    // Some clients send the reasoning under several names; the first of this order counts.
    for key in ["reasoning", "thinking", "reasoning_content"] {
        if let Some(text) = entries
            .iter()
            .find(|entry| entry.0 == key)
            .and_then(|entry| entry.1.as_string())
        {
            more.reasoning = Some(text.into());
        }
    }
    for (key, value) in entries {
        match (&*key, value.shape()) {
            (_, Shape::Null) => {}
            ("role", _) => turn.role = Cow::Owned(string(&key, &value)?),
            ("content", Shape::Str) => {
                turn.content = Content::Text(Cow::Owned(string(&key, &value)?.into()));
            }
            ("content", _) => turn.content = Content::Json(value),
            ("tool_calls", _) => more.calls = Some(calls(&value)?),
            ("tool_call_id", _) => more.call_id = Some(Cow::Owned(string(&key, &value)?)),
            ("reasoning_content" | "thinking" | "reasoning", _) => {}
            _ => more.extra.push((key, value)),
        }
    }
    turn.more = (more != TurnExtras::default()).then(|| Box::new(more));
    if turn.role.is_empty() {
        return Err(wrong("the message has no `role`".to_owned()));
    }
    Ok(turn)
}

fn calls(json: &Json) -> Result<Vec<Call>> {
    let items = json.items().ok_or_else(|| {
        wrong(format!(
            "`tool_calls` is a list, and this is {}",
            json.shape().name()
        ))
    })?;
    Json::each(&items, "tool_calls", call)
}

fn call(json: &Json) -> Result<Call> {
    let object = |json: &Json| {
        json.entries().ok_or_else(|| {
            wrong(format!(
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
        .ok_or_else(|| wrong("a tool call has no name".to_owned()))?;
    let arguments =
        find(&function, "arguments").unwrap_or_else(|| Json::from(serde_json::json!({})));
    let text = |key| find(&entries, key).and_then(|value| value.as_string());
    Ok(Call {
        id: text("id"),
        kind: text("type"),
        name,
        arguments,
        function,
    })
}

fn string(key: &str, json: &Json) -> Result<String> {
    json.as_string().ok_or_else(|| {
        wrong(format!(
            "`{key}` is a string, and this is {}",
            json.shape().name()
        ))
    })
}

fn wrong(message: String) -> Error {
    Error::new(ErrorKind::History, message)
}
