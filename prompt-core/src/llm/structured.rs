//! The ways in which a request sends the JSON Schema of the output to a model.

use std::borrow::Cow;

/// How the JSON Schema of an answer reaches a model.
///
/// ```
/// use prompt_core::{Reply, Structured};
///
/// let reply = Reply::new("{}").with_structured(Structured::Native);
/// assert_eq!(reply.structured.unwrap().name(), "native");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Structured {
    /// Through the provider's own parameter, which constrains what the model can write. Ollama takes schemas by OpenAI's
    /// protocol only: `ChatModel::at("http://localhost:11434/v1", …)`.
    Native,
    /// Through a field of the request with this name, as some servers have it: `json_schema` (llama.cpp),
    /// `guided_json` (older vLLM).
    Field(Cow<'static, str>),
    /// In words, at the end of the last user message.
    Described,
}

impl Structured {
    /// The way in one word, as in traces and recordings.
    ///
    /// ```
    /// assert_eq!(prompt_core::Structured::Field("guided_json".into()).name(), "field");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Structured::Native => "native",
            Structured::Field(_) => "field",
            Structured::Described => "described",
        }
    }
}
