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

/// The number of marks of the cache that the API accepts in a request.
const MAX_MARKS: usize = 4;

/// Separates system messages.
const PARAGRAPH: &str = "\n\n";

/// A conversation as Anthropic's messages API takes it: `{"messages": […], "system": "…", "tools": […]}`.
///
/// Every system message goes into `system`, a blank line apart; none replaces another. This API has no system message between others: one
/// that follows a user message is written to `system` too, and so precedes the whole conversation. Tools have Anthropic's own
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
    prompt_cache_ttl: Option<&'a str>,
}

impl Messages {
    /// The conversation with its tools, to be serialized for Anthropic's messages API. A system message that follows others is written to
    /// `system` too: see [`Conversation`].
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
            prompt_cache_ttl: None,
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
    /// Serialization fails for [`PromptCache::Key`], which this API does not have, for [`PromptCache::Instructions`] in a conversation
    /// that has neither a system message nor tools, and for more than four messages or one that the conversation does not have.
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

    /// Sets how long the API keeps what it writes to the cache: `5m`, which is its default, or `1h`.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, llm::PromptCache};
    ///
    /// let messages = Messages::from([Message::system("Be brief."), Message::user("Hi")]);
    /// let conversation = messages.anthropic().prompt_cache(&PromptCache::Instructions).prompt_cache_ttl("1h");
    /// let json = serde_json::to_value(conversation)?;
    /// assert_eq!(json["system"][0]["cache_control"]["ttl"], "1h");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn prompt_cache_ttl(mut self, ttl: &'a str) -> Conversation<'a> {
        self.prompt_cache_ttl = Some(ttl);
        self
    }

    /// The messages whose ends are marked, by their index.
    fn marked_messages(&self) -> Result<Vec<usize>, String> {
        let count = self.messages.len();
        let is_system = |index: &usize| self.messages[*index].role == Role::System;
        let system = (0..count).rfind(is_system);
        let turn = (0..count).rfind(|index| !is_system(index));
        match self.prompt_cache {
            None => Ok(Vec::new()),
            Some(PromptCache::Key(_)) => Err("this API has no key of a prompt cache".to_owned()),
            Some(PromptCache::Stored(_)) => Err("this API keeps no prompts under a name".to_owned()),
            Some(PromptCache::Instructions) if system.is_none() && self.messages.tools().is_empty() => Err(
                "the option `prompt_cache` is for instructions, but the prompt has neither a system message nor tools: \
                 unset it, or set `PromptCache::Conversation`".to_owned(),
            ),
            Some(PromptCache::Instructions) => Ok(system.into_iter().collect()),
            Some(PromptCache::Conversation) => Ok(system.into_iter().chain(turn).collect()),
            Some(PromptCache::Messages(messages)) => {
                if let Some(index) = messages.iter().find(|index| **index >= count) {
                    return Err(format!(
                        "the option `prompt_cache` marks message {index}, but the prompt has {count}, from 0 on"
                    ));
                }
                let mut marked = messages.clone();
                marked.sort_unstable();
                marked.dedup();
                if marked.len() > MAX_MARKS {
                    return Err(format!(
                        "the option `prompt_cache` marks {} messages, but the API accepts {MAX_MARKS}",
                        marked.len()
                    ));
                }
                Ok(marked)
            }
        }
    }

    /// The system messages, divided behind each that is marked.
    fn system_blocks(&self, marked: &[usize]) -> Vec<MarkedBlock<'a>> {
        let messages = self.messages.iter().enumerate();
        let system = messages.filter(|(_, message)| message.role == Role::System);
        let system: Vec<_> = system.collect();
        let mut before = "";
        let divided = system.split_inclusive(|(index, _)| marked.contains(index));
        let blocks = divided.map(|messages| {
            let texts: Vec<_> = messages.iter().map(|(_, message)| message.text()).collect();
            let text = format!("{before}{}", texts.join(PARAGRAPH));
            before = PARAGRAPH;
            let last = messages.last().map(|(index, _)| *index);
            MarkedBlock {
                block: Block::Text(text.into()),
                mark: self.mark(last.is_some_and(|last| marked.contains(&last))),
            }
        });
        blocks.collect()
    }

    fn mark(&self, is_marked: bool) -> Option<CacheMark<'a>> {
        is_marked.then_some(CacheMark(self.prompt_cache_ttl))
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
        let marked = self.marked_messages().map_err(S::Error::custom)?;
        let mut map = serializer.serialize_map(None)?;
        let turns = AnthropicTurns {
            conversation: self,
            marked: &marked,
        };
        map.serialize_entry("messages", &turns)?;
        if !system.is_empty() {
            let blocks = self.system_blocks(&marked);
            match &blocks[..] {
                [
                    MarkedBlock {
                        block: Block::Text(text),
                        mark: None,
                    },
                ] => map.serialize_entry("system", text)?,
                blocks => map.serialize_entry("system", blocks)?,
            }
        }
        if !tools.is_empty() {
            // The API caches all that is before a mark: the tools are before the system message.
            let marks_parts = matches!(
                self.prompt_cache,
                Some(PromptCache::Instructions | PromptCache::Conversation)
            );
            let last = (marks_parts && system.is_empty()).then(|| tools.len() - 1);
            let tools = tools.iter().enumerate();
            let tools = tools.map(|(index, tool)| Definition {
                tool,
                mark: self.mark(last == Some(index)),
            });
            map.serialize_entry("tools", &tools.collect::<Vec<_>>())?;
        }
        map.end()
    }
}

/// The messages without the system's; results of tools that follow each other are one message.
struct AnthropicTurns<'a> {
    conversation: &'a Conversation<'a>,
    /// The messages whose ends are marked for the cache.
    marked: &'a [usize],
}

impl AnthropicTurns<'_> {
    fn reasoning_blocks(&self, index: usize) -> &[Value] {
        let blocks = self.conversation.reasoning_blocks.get(index);
        blocks.map_or(&[], Vec::as_slice)
    }
}

impl Serialize for AnthropicTurns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turns: Vec<_> = self
            .conversation
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
        let mut seq = serializer.serialize_seq(None)?;
        for messages in turns.chunk_by(both_tools) {
            seq.serialize_element(&MergedMessage {
                messages,
                reasoning: self.reasoning_blocks(messages[0].0),
                turns: self,
            })?;
        }
        seq.end()
    }
}

/// Consecutive messages that the API receives as one.
struct MergedMessage<'a> {
    messages: &'a [(usize, &'a Message)],
    reasoning: &'a [Value],
    turns: &'a AnthropicTurns<'a>,
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
        let is_marked = |(index, _): &(usize, &Message)| self.turns.marked.contains(index);
        let has_mark = self.messages.iter().any(is_marked);
        let is_plain = is_text && self.reasoning.is_empty() && !has_mark;
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
        let mut marked = Vec::new();
        for (index, message) in self.messages {
            let index = *index;
            if message.role == Role::Tool {
                blocks.push(Block::ToolResult { index, message });
            } else if is_text {
                let text = message.text();
                // This API does not accept empty text.
                if !text.is_empty() {
                    blocks.push(Block::Text(text));
                }
            } else {
                let is_empty = |part: &&Part| matches!(part, Part::Text(text) if text.is_empty());
                let parts = message.parts.iter().filter(|part| !is_empty(part));
                blocks.extend(parts.map(Block::Part));
                let calls = message.tool_calls.iter();
                blocks.extend(calls.map(|call| Block::ToolUse { index, call }));
            }
            if self.turns.marked.contains(&index) {
                marked.push(blocks.len());
            }
        }
        let blocks = blocks.into_iter().enumerate();
        let blocks = blocks.map(|(at, block)| MarkedBlock {
            block,
            mark: self.turns.conversation.mark(marked.contains(&(at + 1))),
        });
        blocks.collect()
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
    mark: Option<CacheMark<'a>>,
}

/// The end of a cached part, with the time for which it is kept.
#[derive(Clone, Copy)]
struct CacheMark<'a>(Option<&'a str>);

impl CacheMark<'_> {
    fn fields(self) -> impl Iterator<Item = (&'static str, String)> {
        let ttl = self.0.map(|ttl| ("ttl", ttl.to_owned()));
        [("type", "ephemeral".to_owned())].into_iter().chain(ttl)
    }
}

impl Serialize for CacheMark<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.fields())
    }
}

impl Serialize for MarkedBlock<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.block.write_entries(&mut map)?;
        if let Some(mark) = &self.mark {
            map.serialize_entry("cache_control", mark)?;
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
        mark: None,
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
    mark: Option<CacheMark<'a>>,
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
        entries.extend(others.filter(|(key, _)| !(self.mark.is_some() && key == "cache_control")));
        if let Some(mark) = self.mark {
            let mark = Json::from(serde_json::Value::from_iter(mark.fields()));
            entries.push(("cache_control".to_owned(), mark));
        }
        OrderedObject(&entries).serialize(serializer)
    }
}
