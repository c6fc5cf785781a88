//! A checked request, which a protocol writes.

use prompt_core::{Messages, Options};
use serde_json::Value;

use super::support::{ReasoningFormat, SchemaSupport};

/// A checked request, as the writers of the protocols need it.
pub(crate) struct RequestDraft<'a> {
    pub(crate) model: &'a str,
    /// Every tool call has an id and JSON arguments, every result the id of its call. Reasoning is left only where it is
    /// written into the message.
    pub(crate) messages: Messages,
    /// For each message, the reasoning blocks that the provider requires in later requests.
    pub(crate) blocks: Vec<Vec<Value>>,
    /// For each message, the signatures of its tool calls.
    pub(crate) signatures: Vec<Vec<Option<String>>>,
    pub(crate) options: &'a Options,
    /// The name and the schema of a constrained answer.
    pub(crate) schema: Option<(String, Value)>,
    pub(crate) stream: bool,
    pub(crate) requests_reasoning: bool,
    /// The name of the field for the seed.
    pub(crate) seed_field: Option<&'static str>,
    /// How the reasoning of earlier turns is sent.
    pub(crate) reasoning: ReasoningFormat,
    /// How long a cache is kept, as the API writes it.
    pub(crate) cache_ttl: Option<&'static str>,
    /// Which schemas the provider accepts.
    pub(crate) schema_support: SchemaSupport,
    /// The name of the field for the greatest length of an answer, in OpenAI's chat completions.
    pub(crate) max_tokens_field: &'static str,
}
