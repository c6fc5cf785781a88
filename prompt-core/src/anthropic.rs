//! The JSON of Anthropic's messages API.

use serde_core::ser::{Error as _, SerializeMap, SerializeSeq};
use serde_core::{Serialize, Serializer};

use crate::openai::Strings;
use crate::tool::OrderedObject;
use crate::{
    Json, Media, MediaKind, MediaSource, Message, Messages, Part, Result, Role, Tool, ToolCall,
};

/// A conversation as Anthropic's messages API takes it: `{"messages": […], "system": "…", "tools": […]}`.
///
/// Every system message goes into `system`, a blank line apart; none replaces another. Tools have Anthropic's own
/// shape, and the results of tools are in a user message.
///
/// ```
/// use typed_prompt::{Message, Messages};
///
/// let messages = Messages::from([Message::system("Be brief."), Message::user("Hi")]);
/// assert_eq!(
///     serde_json::to_string(&messages.anthropic())?,
///     r#"{"messages":[{"role":"user","content":"Hi"}],"system":"Be brief."}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Anthropic<'a>(&'a Messages);

impl Messages {
    /// The conversation with its tools, to be serialized for Anthropic's messages API.
    ///
    /// ```
    /// let json = serde_json::to_value(typed_prompt::Messages::new().anthropic())?;
    /// assert_eq!(json, serde_json::json!({"messages": []}));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn anthropic(&self) -> Anthropic<'_> {
        Anthropic(self)
    }
}

impl Serialize for Anthropic<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let system: Vec<_> = self
            .0
            .iter()
            .filter(|message| message.role == Role::System)
            .collect();
        if system.iter().any(|message| !message.is_text()) {
            return Err(S::Error::custom(
                "a system message holds an image, audio, video or file, which this API does not support",
            ));
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("messages", &AnthropicTurns(self.0))?;
        if !system.is_empty() {
            let texts: Vec<_> = system.iter().map(|message| message.text()).collect();
            map.serialize_entry("system", &texts.join("\n\n"))?;
        }
        if !self.0.tools().is_empty() {
            let tools: Vec<_> = self.0.tools().iter().map(Definition).collect();
            map.serialize_entry("tools", &tools)?;
        }
        map.end()
    }
}

/// The messages without the system's; results of tools that follow each other are one message.
struct AnthropicTurns<'a>(&'a Messages);

impl Serialize for AnthropicTurns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turns: Vec<_> = self
            .0
            .iter()
            .enumerate()
            .filter(|(_, message)| message.role != Role::System)
            .collect();
        let both_tools = |a: &(usize, &Message), b: &(usize, &Message)| {
            a.1.role == Role::Tool && b.1.role == Role::Tool
        };
        if let Some((index, _)) = turns
            .iter()
            .find(|turn| turn.1.name.is_some() && turn.1.role != Role::Tool)
        {
            return Err(S::Error::custom(format!(
                "message {index} has a speaker's name, which this API does not support"
            )));
        }
        if let Some((index, _)) = turns.iter().find(|turn| turn.1.reasoning.is_some()) {
            return Err(S::Error::custom(format!(
                "message {index} holds reasoning, which this API takes only with its signature: leave it out"
            )));
        }
        let mut seq = serializer.serialize_seq(None)?;
        for turn in turns.chunk_by(both_tools) {
            seq.serialize_element(&MergedMessage(turn))?;
        }
        seq.end()
    }
}

/// Consecutive messages that the API receives as one.
struct MergedMessage<'a>(&'a [(usize, &'a Message)]);

impl Serialize for MergedMessage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let message = self.0[0].1;
        let mut map = serializer.serialize_map(Some(2))?;
        let role = match message.role {
            Role::Assistant => "assistant",
            _ => "user",
        };
        map.serialize_entry("role", role)?;
        if message.role != Role::Tool && message.is_text() && message.tool_calls.is_empty() {
            map.serialize_entry("content", &message.text())?;
        } else {
            map.serialize_entry("content", &Blocks(self.0))?;
        }
        map.end()
    }
}

struct Blocks<'a>(&'a [(usize, &'a Message)]);

impl Serialize for Blocks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        for (index, message) in self.0 {
            let index = *index;
            if message.role == Role::Tool {
                seq.serialize_element(&ToolResult { index, message })?;
                continue;
            }
            // This API does not accept empty text.
            let is_empty = |part: &&Part| matches!(part, Part::Text(text) if text.is_empty());
            let mut parts = message.parts.iter().filter(|part| !is_empty(part));
            parts.try_for_each(|part| seq.serialize_element(&ContentBlock(part)))?;
            message
                .tool_calls
                .iter()
                .try_for_each(|call| seq.serialize_element(&ToolUse { index, call }))?;
        }
        seq.end()
    }
}

struct ToolResult<'a> {
    index: usize,
    message: &'a Message,
}

impl Serialize for ToolResult<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(id) = &self.message.tool_call_id else {
            return Err(S::Error::custom(format!(
                "message {} is a tool's result without a `tool_call_id`",
                self.index
            )));
        };
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("type", "tool_result")?;
        map.serialize_entry("tool_use_id", id)?;
        if self.message.is_text() {
            map.serialize_entry("content", &self.message.text())?;
        } else {
            let blocks: Vec<_> = self.message.parts.iter().map(ContentBlock).collect();
            map.serialize_entry("content", &blocks)?;
        }
        map.end()
    }
}

struct ToolUse<'a> {
    index: usize,
    call: &'a ToolCall,
}

impl Serialize for ToolUse<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ToolUse { index, call } = self;
        let problem = |what: &str| {
            S::Error::custom(format!(
                "message {index} calls the tool `{}` {what}",
                call.name
            ))
        };
        let id = call
            .id
            .as_deref()
            .ok_or_else(|| problem("without an `id`"))?;
        let input = call.json().map_err(|error| {
            problem(&format!(
                "with arguments that are not JSON: {}",
                error.message()
            ))
        })?;
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("type", "tool_use")?;
        map.serialize_entry("id", id)?;
        map.serialize_entry("name", &call.name)?;
        map.serialize_entry("input", &input)?;
        map.end()
    }
}

struct ContentBlock<'a>(&'a Part);

impl Serialize for ContentBlock<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let media = match self.0 {
            Part::Text(text) => {
                return serializer.collect_map([("type", "text"), ("text", text.as_str())]);
            }
            Part::Media(media) => media,
        };
        media.check().map_err(S::Error::custom)?;
        let kind = match media.kind() {
            MediaKind::Image => "image",
            MediaKind::File => "document",
            other => {
                return Err(S::Error::custom(format!(
                    "this API takes no {}",
                    other.name()
                )));
            }
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", kind)?;
        map.serialize_entry("source", &Strings(&source(media)))?;
        if let Some(name) = media.name().filter(|_| kind == "document") {
            map.serialize_entry("title", name)?;
        }
        map.end()
    }
}

fn source(media: &Media) -> Vec<(&'static str, String)> {
    match media.source() {
        MediaSource::Url(url) => vec![("type", "url".to_owned()), ("url", url.to_string())],
        MediaSource::Base64 { mime, data } => vec![
            ("type", "base64".to_owned()),
            ("media_type", mime.to_string()),
            ("data", data.to_string()),
        ],
    }
}

/// A tool in Anthropic's shape: `parameters` are the `input_schema`, which may not be left out.
struct Definition<'a>(&'a Tool);

impl Serialize for Definition<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tool = self.0;
        let none = || Json::parse(r#"{"type":"object"}"#);
        let schema = tool
            .parameters()
            .cloned()
            .map_or_else(none, Ok)
            .map_err(S::Error::custom)?;
        let text =
            |key: &str, text: &str| (key.to_owned(), Json::from(serde_json::Value::from(text)));
        let mut entries = vec![text("name", tool.name())];
        entries.extend(tool.description().map(|it| text("description", &it)));
        entries.push(("input_schema".to_owned(), schema));
        // What else is given, such as `cache_control`, is for the API to judge.
        entries.extend(tool.others().cloned());
        OrderedObject(&entries).serialize(serializer)
    }
}
