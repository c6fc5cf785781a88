//! The ways in which a request sends the JSON Schema of the output to a model.

use std::borrow::Cow;

/// How the JSON Schema of an answer is passed to a model.
///
/// ```
/// use typed_prompt::{Reply, llm::Structured};
///
/// let reply = Reply::new("{}").with_structured(Structured::Native);
/// assert_eq!(reply.structured.unwrap().name(), "native");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Structured {
    /// In the provider's own parameter, which constrains the model's output. Servers with OpenAI's protocol receive
    /// `response_format`.
    Native,
    /// In a field of the request. A dot separates the names of nested fields: `structured_outputs.json`.
    Field(Cow<'static, str>),
    /// As text at the end of the system message, or at the beginning of the first user message, in the notation of TypeScript: see
    /// [`describe_output`](crate::output::describe_output).
    Described,
    /// As `Described`, but as JSON Schema.
    DescribedSchema,
    /// As the parameters of a tool, `answer`, whose call is the answer: the text of the reply is the arguments of that call. A model is required to call a tool
    /// then, unless the options contain a [`ToolChoice`](crate::ToolChoice). A reply that calls other tools as well is not the answer;
    /// in a stream, its text begins with the arguments if they began to arrive before the other calls.
    ///
    /// It is the default for prompts with tools where a provider takes tools or a schema, but not both. Completion models do not support it.
    Tool,
}

impl Structured {
    /// The field of llama.cpp's server, `json_schema`. Its `/v1/completions` ignores `response_format`.
    ///
    /// ```
    /// assert_eq!(typed_prompt::llm::Structured::LLAMA_CPP, typed_prompt::llm::Structured::Field("json_schema".into()));
    /// ```
    pub const LLAMA_CPP: Structured = Structured::Field(Cow::Borrowed("json_schema"));

    /// The field of vLLM, `structured_outputs.json`. Before version 0.12 it was `guided_json`. vLLM accepts
    /// [`Native`](Structured::Native) too.
    ///
    /// ```
    /// assert_eq!(typed_prompt::llm::Structured::VLLM, typed_prompt::llm::Structured::Field("structured_outputs.json".into()));
    /// ```
    pub const VLLM: Structured = Structured::Field(Cow::Borrowed("structured_outputs.json"));

    /// SGLang accepts `response_format` for chats and for completions.
    ///
    /// ```
    /// assert_eq!(typed_prompt::llm::Structured::SGLANG, typed_prompt::llm::Structured::Native);
    /// ```
    pub const SGLANG: Structured = Structured::Native;

    /// The way in one word, as in traces and recordings.
    ///
    /// ```
    /// assert_eq!(typed_prompt::llm::Structured::Field("guided_json".into()).name(), "field");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Structured::Native => "native",
            Structured::Field(_) => "field",
            Structured::Described => "described",
            Structured::DescribedSchema => "described_schema",
            Structured::Tool => "tool",
        }
    }

    /// Whether the output type is described in the prompt.
    ///
    /// ```
    /// use typed_prompt::llm::Structured;
    ///
    /// assert!(Structured::Described.is_described() && !Structured::Native.is_described());
    /// ```
    pub fn is_described(&self) -> bool {
        matches!(self, Structured::Described | Structured::DescribedSchema)
    }
}
