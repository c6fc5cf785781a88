//! The protocols of chat APIs, with a file for each: how requests are written, and how answers are parsed.
//!
//! A new protocol is a file that implements [`Protocol`], and its line here.

pub(super) mod anthropic;
pub(super) mod chat_completions;
pub(super) mod cohere;
pub(super) mod gemini;
pub(super) mod ollama;
mod openai_cache;
pub(super) mod responses;

use std::fmt;

use serde_json::{Map, Value};

use super::draft::RequestDraft;
use crate::answer::AnswerReader;
use crate::error::CallError;
use crate::http::KeyHeader;
use crate::sse::Framing;

/// A protocol of chat APIs.
pub(crate) trait Protocol: fmt::Debug + Sync {
    /// The name in `docs/providers.md`.
    fn name(&self) -> &'static str;

    /// The path of requests, relative to the base URL.
    fn path(&self, model: &str, stream: bool) -> String;

    /// The query of requests.
    fn query(&self, _stream: bool) -> Option<(&'static str, &'static str)> {
        None
    }

    /// The headers of requests, apart from the key.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn key_header(&self) -> KeyHeader {
        KeyHeader::Bearer
    }

    /// How the parts of a streamed answer are separated.
    fn framing(&self) -> Framing {
        Framing::Events
    }

    /// Whether the result of a tool contains the tool's name as well as the id of its call.
    fn names_tool_results(&self) -> bool {
        true
    }

    /// Whether some servers reject tools without a description.
    fn requires_tool_descriptions(&self) -> bool {
        false
    }

    /// Writes the body of a request.
    ///
    /// # Errors
    /// The protocol has no form for a part of the request.
    fn request_body(&self, draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError>;

    /// Writes the body of a request that stores the messages of a draft under a name, for a number of seconds. `None`: the protocol has none.
    ///
    /// # Errors
    /// The protocol has no form for a part of the messages.
    fn stored_prompt_body(
        &self,
        _draft: &RequestDraft<'_>,
        _seconds: u64,
    ) -> Option<Result<Map<String, Value>, CallError>> {
        None
    }

    /// Returns a reader of one answer of this provider.
    fn answer_reader(&self, provider: &str) -> Box<dyn AnswerReader>;
}
