//! The JSON of OpenAI's chat API, which most servers read, for programs that send requests themselves.
//!
//! [`ChatRequest`] is the body of a request, and [`Reply::from_openai`](crate::Reply::from_openai) parses the body of its response.
//!
//! ```
//! use typed_prompt::{Message, Messages, Reply, openai::ChatRequest};
//!
//! let messages = Messages::from([Message::user("What is 2 + 2?")]);
//! let body = serde_json::to_string(&ChatRequest::new("gpt-4o", &messages))?;
//! assert_eq!(body, r#"{"model":"gpt-4o","messages":[{"role":"user","content":"What is 2 + 2?"}]}"#);
//!
//! let response = r#"{"choices": [{"message": {"role": "assistant", "content": "4"}}]}"#;
//! assert_eq!(Reply::from_openai(&serde_json::from_str(response)?)?.text, "4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answer;
mod request;

pub use request::{ChatRequest, RequestOptions, close_objects, schema_name, without_metadata};

use serde_core::ser::{Error as _, SerializeMap, SerializeSeq};
use serde_core::{Serialize, Serializer};

use crate::{Media, MediaKind, MediaSource, Message, Messages, Part, Result, Role, ToolChoice};

/// A conversation as OpenAI's chat API takes it: `{"messages": […], "tools": […]}`, tools only where there are any.
///
/// ```
/// use typed_prompt::{Message, Messages, Tool};
///
/// let messages = Messages::from([Message::user("Hi")]).with_tool(Tool::new("add"));
/// assert_eq!(
///     serde_json::to_string(&messages.openai())?,
///     r#"{"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"add"}}]}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Conversation<'a>(&'a Messages);

impl Messages {
    /// The conversation with its tools, to be serialized for OpenAI's chat API.
    ///
    /// ```
    /// let json = serde_json::to_value(typed_prompt::Messages::new().openai())?;
    /// assert_eq!(json, serde_json::json!({"messages": []}));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn openai(&self) -> Conversation<'_> {
        Conversation(self)
    }
}

impl Serialize for Conversation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("messages", self.0)?;
        if !self.0.tools().is_empty() {
            map.serialize_entry("tools", self.0.tools())?;
        }
        map.end()
    }
}

/// The `messages` of OpenAI's chat API.
impl Serialize for Messages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for message in self.iter() {
            list.serialize_element(message)?;
        }
        list.end()
    }
}

/// A message of OpenAI's chat API.
///
/// OpenAI's own API knows no reasoning; `reasoning_content` is what DeepSeek's, vLLM and llama.cpp call it.
impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("role", &self.role)?;
        if !self.is_text() {
            map.serialize_entry("content", &self.parts)?;
        } else if self.parts.is_empty() && !self.tool_calls.is_empty() {
            map.serialize_entry("content", &())?;
        } else {
            map.serialize_entry("content", &self.text())?;
        }
        if let Some(reasoning) = &self.reasoning {
            map.serialize_entry("reasoning_content", reasoning.as_str())?;
        }
        if !self.tool_calls.is_empty() {
            map.serialize_entry("tool_calls", &self.tool_calls)?;
        }
        if let Some(id) = &self.tool_call_id {
            map.serialize_entry("tool_call_id", id)?;
        }
        if let Some(name) = &self.name {
            map.serialize_entry("name", name)?;
        }
        map.end()
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// One item of a message's `content`.
impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Part::Text(text) => serializer.collect_map([("type", "text"), ("text", text.as_str())]),
            Part::Media(media) => media.serialize(serializer),
        }
    }
}

/// One item of a message's `content`.
///
/// OpenAI's own API takes images, WAV and MP3 sound and files; the rest is written as vLLM and others read it.
impl Serialize for Media {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.check().map_err(S::Error::custom)?;
        let url = || [("url", self.to_url())];
        let (kind, inner) = match (self.kind(), self.source()) {
            (MediaKind::Image, _) => ("image_url", Vec::from(url())),
            (MediaKind::Video, _) => ("video_url", Vec::from(url())),
            (MediaKind::Audio, MediaSource::Base64 { mime, data })
                if audio_format(mime).is_some() =>
            {
                let format = audio_format(mime).unwrap_or_default().to_owned();
                (
                    "input_audio",
                    vec![("data", data.to_string()), ("format", format)],
                )
            }
            (MediaKind::Audio, _) => ("audio_url", Vec::from(url())),
            (MediaKind::File, MediaSource::Base64 { .. }) => {
                let name = self.name().map(|name| ("filename", name.to_owned()));
                (
                    "file",
                    name.into_iter()
                        .chain([("file_data", self.to_url())])
                        .collect(),
                )
            }
            (MediaKind::File, MediaSource::Url(_)) => {
                return Err(S::Error::custom(
                    "a file by its address has no form in this API: give its bytes",
                ));
            }
        };
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("type", kind)?;
        map.serialize_entry(kind, &StringFields(&inner))?;
        map.end()
    }
}

/// The name of an audio format in OpenAI's protocol, which has names for WAV and MP3 only.
///
/// ```
/// use typed_prompt::openai::audio_format;
///
/// assert_eq!(audio_format("audio/mpeg"), Some("mp3"));
/// assert_eq!(audio_format("audio/flac"), None);
/// ```
pub fn audio_format(mime: &str) -> Option<&'static str> {
    match mime {
        "audio/wav" | "audio/x-wav" | "audio/wave" => Some("wav"),
        "audio/mp3" | "audio/mpeg" => Some("mp3"),
        _ => None,
    }
}

/// A tool choice in OpenAI's protocol.
impl Serialize for ToolChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = match self {
            ToolChoice::Auto => "auto",
            ToolChoice::None => "none",
            ToolChoice::Required => "required",
            ToolChoice::Tool(name) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("type", "function")?;
                map.serialize_entry("function", &StringFields(&[("name", name.clone())]))?;
                return map.end();
            }
        };
        serializer.serialize_str(name)
    }
}

/// An object of strings, in order.
pub(crate) struct StringFields<'a>(pub(crate) &'a [(&'static str, String)]);

impl Serialize for StringFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
