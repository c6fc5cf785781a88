//! The JSON of Anthropic's messages API, for programs that send requests themselves.
//!
//! ```
//! use typed_prompt::{Message, Messages};
//!
//! let messages = Messages::from([Message::system("Be brief."), Message::user("Hi")]);
//! let mut body = serde_json::to_value(messages.anthropic())?;
//! body["model"] = "claude-sonnet-4-5".into();
//! body["max_tokens"] = 1024.into();
//! assert_eq!(body["system"], "Be brief.");
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::borrow::Cow;

use serde_core::ser::{Error as _, SerializeMap, SerializeSeq};
use serde_core::{Serialize, Serializer};
use serde_json::Value;

use crate::openai::StringFields;
use crate::tool::OrderedObject;
use crate::{
    Json, Media, MediaKind, MediaSource, Message, Messages, Part, PromptCache, Result, Role, Tool,
    ToolCall,
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
pub struct Conversation<'a> {
    messages: &'a Messages,
    reasoning_blocks: &'a [Vec<Value>],
    prompt_cache: Option<&'a PromptCache>,
}

impl Messages {
    /// The conversation with its tools, to be serialized for Anthropic's messages API.
    ///
    /// ```
    /// let json = serde_json::to_value(typed_prompt::Messages::new().anthropic())?;
    /// assert_eq!(json, serde_json::json!({"messages": []}));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn anthropic(&self) -> Conversation<'_> {
        Conversation {
            messages: self,
            reasoning_blocks: &[],
            prompt_cache: None,
        }
    }
}

impl<'a> Conversation<'a> {
    /// Sets the reasoning blocks of earlier answers, as the API returned them with their signatures: a list for each message, empty for
    /// messages without reasoning. They are written before the content of the message, instead of its reasoning.
    ///
    /// ```
    /// use serde_json::json;
    /// use typed_prompt::{Message, Messages};
    ///
    /// let messages = Messages::from([Message::user("2 + 2?"), Message::assistant("4"), Message::user("Sure?")]);
    /// let thinking = json!({"type": "thinking", "thinking": "Add them.", "signature": "…"});
    /// let blocks = [vec![], vec![thinking.clone()], vec![]];
    /// let json = serde_json::to_value(messages.anthropic().reasoning_blocks(&blocks))?;
    /// assert_eq!(json["messages"][1]["content"], json!([thinking, {"type": "text", "text": "4"}]));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn reasoning_blocks(mut self, blocks: &'a [Vec<Value>]) -> Conversation<'a> {
        self.reasoning_blocks = blocks;
        self
    }

    /// Sets which part of the request the API caches: the end of the part is marked with `cache_control`.
    ///
    /// Serialization fails for [`PromptCache::Key`], which this API does not have, and for [`PromptCache::Instructions`] in a conversation
    /// that has neither a system message nor tools.
    ///
    /// ```
    /// use serde_json::json;
    /// use typed_prompt::{Message, Messages, llm::PromptCache};
    ///
    /// let messages = Messages::from([Message::system("Be brief."), Message::user("Hi")]);
    /// let json = serde_json::to_value(messages.anthropic().prompt_cache(&PromptCache::Instructions))?;
    /// let marked = json!([{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]);
    /// assert_eq!(json["system"], marked);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn prompt_cache(mut self, cache: &'a PromptCache) -> Conversation<'a> {
        self.prompt_cache = Some(cache);
        self
    }

    /// The reason why the option `prompt_cache` cannot be written.
    fn cache_problem(&self, has_instructions: bool) -> Option<&'static str> {
        match self.prompt_cache? {
            PromptCache::Key(_) => Some("this API has no key of a prompt cache"),
            PromptCache::Instructions if !has_instructions => Some(
                "the option `prompt_cache` is for instructions, but the prompt has neither a system message nor tools: \
                 unset it, or set `PromptCache::Conversation`",
            ),
            _ => None,
        }
    }
}

impl Serialize for Conversation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let system: Vec<_> = self
            .messages
            .iter()
            .filter(|message| message.role == Role::System)
            .collect();
        if system.iter().any(|message| !message.is_text()) {
            return Err(S::Error::custom(
                "a system message holds an image, audio, video or file, which this API does not support",
            ));
        }
        let tools = self.messages.tools();
        let has_instructions = !system.is_empty() || !tools.is_empty();
        if let Some(problem) = self.cache_problem(has_instructions) {
            return Err(S::Error::custom(problem));
        }
        let caches = self.prompt_cache.is_some();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("messages", &AnthropicTurns(self))?;
        if !system.is_empty() {
            let texts: Vec<_> = system.iter().map(|message| message.text()).collect();
            let text = texts.join("\n\n");
            match caches {
                true => map.serialize_entry("system", &[mark_cached(Block::Text(text.into()))])?,
                false => map.serialize_entry("system", &text)?,
            }
        }
        if !tools.is_empty() {
            // The API caches all that is before a mark: the tools are before the system message.
            let marked = (caches && system.is_empty()).then(|| tools.len() - 1);
            let tools = tools.iter().enumerate();
            let tools = tools.map(|(index, tool)| Definition {
                tool,
                is_cached: marked == Some(index),
            });
            map.serialize_entry("tools", &tools.collect::<Vec<_>>())?;
        }
        map.end()
    }
}

/// The messages without the system's; results of tools that follow each other are one message.
struct AnthropicTurns<'a>(&'a Conversation<'a>);

impl AnthropicTurns<'_> {
    fn reasoning_blocks(&self, index: usize) -> &[Value] {
        let blocks = self.0.reasoning_blocks.get(index);
        blocks.map_or(&[], Vec::as_slice)
    }
}

impl Serialize for AnthropicTurns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turns: Vec<_> = self
            .0
            .messages
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
        if let Some((index, _)) = turns
            .iter()
            .find(|turn| turn.1.reasoning.is_some() && self.reasoning_blocks(turn.0).is_empty())
        {
            return Err(S::Error::custom(format!(
                "message {index} holds reasoning, which this API takes only with its signature: leave it out"
            )));
        }
        let caches_all = self.0.prompt_cache == Some(&PromptCache::Conversation);
        let mut turns = turns.chunk_by(both_tools).peekable();
        let mut seq = serializer.serialize_seq(None)?;
        while let Some(messages) = turns.next() {
            seq.serialize_element(&MergedMessage {
                messages,
                reasoning: self.reasoning_blocks(messages[0].0),
                is_cached: caches_all && turns.peek().is_none(),
            })?;
        }
        seq.end()
    }
}

/// Consecutive messages that the API receives as one.
struct MergedMessage<'a> {
    messages: &'a [(usize, &'a Message)],
    reasoning: &'a [Value],
    /// Whether the end of the content is marked for the cache.
    is_cached: bool,
}

impl Serialize for MergedMessage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let message = self.messages[0].1;
        let mut map = serializer.serialize_map(Some(2))?;
        let role = match message.role {
            Role::Assistant => "assistant",
            _ => "user",
        };
        map.serialize_entry("role", role)?;
        let is_text =
            message.role != Role::Tool && message.is_text() && message.tool_calls.is_empty();
        let is_plain = is_text && self.reasoning.is_empty() && !self.is_cached;
        let blocks = if is_plain {
            Vec::new()
        } else {
            self.content_blocks(is_text)
        };
        match is_text && blocks.is_empty() {
            true => map.serialize_entry("content", &message.text())?,
            false => map.serialize_entry("content", &blocks)?,
        }
        map.end()
    }
}

impl MergedMessage<'_> {
    /// The content as a list.
    fn content_blocks(&self, is_text: bool) -> Vec<MarkedBlock<'_>> {
        let mut blocks: Vec<_> = self.reasoning.iter().map(Block::Raw).collect();
        for (index, message) in self.messages {
            let index = *index;
            if message.role == Role::Tool {
                blocks.push(Block::ToolResult { index, message });
                continue;
            }
            if is_text {
                let text = message.text();
                // This API does not accept empty text.
                if !text.is_empty() {
                    blocks.push(Block::Text(text));
                }
                continue;
            }
            let is_empty = |part: &&Part| matches!(part, Part::Text(text) if text.is_empty());
            let parts = message.parts.iter().filter(|part| !is_empty(part));
            blocks.extend(parts.map(Block::Part));
            let calls = message.tool_calls.iter();
            blocks.extend(calls.map(|call| Block::ToolUse { index, call }));
        }
        let last = blocks.len().saturating_sub(1);
        let blocks = blocks.into_iter().enumerate();
        let marked = blocks.map(|(at, block)| MarkedBlock {
            block,
            is_cached: self.is_cached && at == last,
        });
        marked.collect()
    }
}

/// An item of a content.
enum Block<'a> {
    /// Reasoning, as the API returned it.
    Raw(&'a Value),
    Text(Cow<'a, str>),
    Part(&'a Part),
    ToolResult {
        index: usize,
        message: &'a Message,
    },
    ToolUse {
        index: usize,
        call: &'a ToolCall,
    },
}

struct MarkedBlock<'a> {
    block: Block<'a>,
    is_cached: bool,
}

fn mark_cached(block: Block<'_>) -> MarkedBlock<'_> {
    MarkedBlock {
        block,
        is_cached: true,
    }
}

struct CacheMark;

impl Serialize for CacheMark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("type", "ephemeral")])
    }
}

impl Serialize for MarkedBlock<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.block.write_entries(&mut map)?;
        if self.is_cached {
            map.serialize_entry("cache_control", &CacheMark)?;
        }
        map.end()
    }
}

impl Block<'_> {
    fn write_entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        match self {
            Block::Raw(block) => {
                let problem = || M::Error::custom("a reasoning block is not a JSON object");
                let mut entries = block.as_object().ok_or_else(problem)?.iter();
                entries.try_for_each(|(key, value)| map.serialize_entry(key, value))
            }
            Block::Text(text) => write_text(text, map),
            Block::Part(Part::Text(text)) => write_text(text.as_str(), map),
            Block::Part(Part::Media(media)) => write_media(media, map),
            Block::ToolResult { index, message } => write_tool_result(*index, message, map),
            Block::ToolUse { index, call } => write_tool_use(*index, call, map),
        }
    }
}

fn write_text<M: SerializeMap>(text: &str, map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry("type", "text")?;
    map.serialize_entry("text", text)
}

fn write_tool_result<M: SerializeMap>(
    index: usize,
    message: &Message,
    map: &mut M,
) -> Result<(), M::Error> {
    let Some(id) = &message.tool_call_id else {
        return Err(M::Error::custom(format!(
            "message {index} is a tool's result without a `tool_call_id`"
        )));
    };
    map.serialize_entry("type", "tool_result")?;
    map.serialize_entry("tool_use_id", id)?;
    if message.is_text() {
        return map.serialize_entry("content", &message.text());
    }
    let blocks = message.parts.iter().map(|part| MarkedBlock {
        block: Block::Part(part),
        is_cached: false,
    });
    map.serialize_entry("content", &blocks.collect::<Vec<_>>())
}

fn write_tool_use<M: SerializeMap>(
    index: usize,
    call: &ToolCall,
    map: &mut M,
) -> Result<(), M::Error> {
    let problem = |what: &str| {
        M::Error::custom(format!(
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
    map.serialize_entry("type", "tool_use")?;
    map.serialize_entry("id", id)?;
    map.serialize_entry("name", &call.name)?;
    map.serialize_entry("input", &input)
}

fn write_media<M: SerializeMap>(media: &Media, map: &mut M) -> Result<(), M::Error> {
    media.check().map_err(M::Error::custom)?;
    let kind = match media.kind() {
        MediaKind::Image => "image",
        MediaKind::File => "document",
        other => {
            return Err(M::Error::custom(format!(
                "this API takes no {}",
                other.name()
            )));
        }
    };
    map.serialize_entry("type", kind)?;
    map.serialize_entry("source", &StringFields(&media_source(media)))?;
    match media.name().filter(|_| kind == "document") {
        Some(name) => map.serialize_entry("title", name),
        None => Ok(()),
    }
}

fn media_source(media: &Media) -> Vec<(&'static str, String)> {
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
struct Definition<'a> {
    tool: &'a Tool,
    is_cached: bool,
}

impl Serialize for Definition<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tool = self.tool;
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
        // What else is given is for the API to judge.
        let others = tool.others().cloned();
        entries.extend(others.filter(|(key, _)| !(self.is_cached && key == "cache_control")));
        if self.is_cached {
            let mark = Json::parse(r#"{"type":"ephemeral"}"#).map_err(S::Error::custom)?;
            entries.push(("cache_control".to_owned(), mark));
        }
        OrderedObject(&entries).serialize(serializer)
    }
}
