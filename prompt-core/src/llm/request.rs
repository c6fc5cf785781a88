//! The request to a model: messages, output schema and options such as the temperature.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::{Messages, Prompt, PromptInfo, Result};

/// A request to a model.
///
/// ```
/// use typed_prompt::{Message, Messages, Request};
///
/// let request = Request::from_prompt(&Messages::from([Message::user("Hi")]))?;
/// assert_eq!(request.messages.len(), 1);
/// assert!(request.schema.is_none());
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request {
    /// The conversation, and the tools that the model may use.
    pub messages: Messages,
    /// The JSON Schema of the answer; how it reaches the model is the provider's choice.
    pub schema: Option<serde_json::Value>,
    /// How the model is to answer.
    pub options: Options,
    /// Which prompt is asked.
    pub info: &'static PromptInfo,
}

impl Request {
    /// Renders a prompt.
    ///
    /// # Errors
    /// As [`Prompt::messages`].
    pub fn from_prompt<P: Prompt>(prompt: &P) -> Result<Request> {
        Ok(Request {
            messages: prompt.messages()?,
            schema: P::output_schema(),
            options: Options::default(),
            info: &P::INFO,
        })
    }

    /// The parts that determine the answer, as JSON: the prompt's name and fingerprint, messages, tools, schema and options.
    ///
    /// # Errors
    /// A part of the request has no form in JSON.
    #[doc(hidden)]
    pub fn identity(&self) -> Result<String> {
        crate::recording::identity(self)
    }

    /// Sets the options of the answer.
    ///
    /// ```
    /// use typed_prompt::{Messages, Request, llm::Options};
    ///
    /// let options = Options { max_tokens: Some(10), ..Options::default() };
    /// assert_eq!(Request::from_prompt(&Messages::new())?.with_options(options).options.max_tokens, Some(10));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn with_options(mut self, options: Options) -> Request {
        self.options = options;
        self
    }
}

/// How a model answers. Options that are `None` or empty are left to the model.
///
/// An option that a provider does not accept is an error that names both.
///
/// ```
/// use typed_prompt::llm::{Options, ReasoningEffort, ToolChoice};
///
/// let options = Options {
///     temperature: Some(0.0),
///     tool_choice: Some(ToolChoice::Required),
///     reasoning_effort: Some(ReasoningEffort::Low),
///     ..Options::default()
/// };
/// assert!(options.max_tokens.is_none());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// The randomness of the answer.
    pub temperature: Option<f64>,
    /// The probability mass from which tokens are drawn.
    pub top_p: Option<f64>,
    /// The greatest length of the answer in tokens.
    pub max_tokens: Option<u64>,
    /// Makes answers repeatable, as far as the model supports it.
    pub seed: Option<u64>,
    /// Texts at which the answer ends.
    pub stop: Vec<String>,
    /// Whether the model calls tools.
    pub tool_choice: Option<ToolChoice>,
    /// Whether the model may call several tools in one answer.
    pub parallel_tool_calls: Option<bool>,
    /// The effort of the model's reasoning.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// Requests the log-probability of each token, and of this number of alternatives: [`Reply::log_probs`](crate::Reply::log_probs).
    pub log_probs: Option<u8>,
    /// How the provider caches the beginning of the prompt.
    pub prompt_cache: Option<PromptCache>,
    /// More fields of the request, in the form of the provider. They replace the fields of these names that are sent otherwise.
    pub fields: Map<String, Value>,
    /// The longest wait for the answer.
    pub timeout: Option<Duration>,
    /// How often the prompt is sent again, with the error, when the answer does not fit; 0 for never.
    pub output_retries: Option<u32>,
}

impl Options {
    /// These options, with those of `defaults` where they are not set.
    ///
    /// ```
    /// use typed_prompt::llm::Options;
    ///
    /// let defaults = Options { seed: Some(1), max_tokens: Some(9), ..Options::default() };
    /// let options = Options { seed: Some(2), ..Options::default() }.or(&defaults);
    /// assert_eq!((options.seed, options.max_tokens), (Some(2), Some(9)));
    /// ```
    #[must_use]
    pub fn or(self, defaults: &Options) -> Options {
        let mut fields = defaults.fields.clone();
        fields.extend(self.fields);
        Options {
            temperature: self.temperature.or(defaults.temperature),
            top_p: self.top_p.or(defaults.top_p),
            max_tokens: self.max_tokens.or(defaults.max_tokens),
            seed: self.seed.or(defaults.seed),
            stop: match self.stop.is_empty() {
                true => defaults.stop.clone(),
                false => self.stop,
            },
            tool_choice: self.tool_choice.or_else(|| defaults.tool_choice.clone()),
            parallel_tool_calls: self.parallel_tool_calls.or(defaults.parallel_tool_calls),
            reasoning_effort: self.reasoning_effort.or(defaults.reasoning_effort),
            log_probs: self.log_probs.or(defaults.log_probs),
            prompt_cache: self.prompt_cache.or_else(|| defaults.prompt_cache.clone()),
            fields,
            timeout: self.timeout.or(defaults.timeout),
            output_retries: self.output_retries.or(defaults.output_retries),
        }
    }
}

/// Whether a model calls tools.
///
/// In a [`ToolLoop`](crate::ToolLoop), [`Required`](ToolChoice::Required) and [`Tool`](ToolChoice::Tool) apply to the first
/// answer: the model could not end the loop otherwise.
///
/// ```
/// use typed_prompt::llm::{Options, ToolChoice};
///
/// let options = Options { tool_choice: Some(ToolChoice::Tool("search".to_owned())), ..Options::default() };
/// assert_ne!(options.tool_choice, Some(ToolChoice::Auto));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ToolChoice {
    /// The model decides.
    Auto,
    /// The model answers without calling a tool.
    None,
    /// The model calls at least one tool.
    Required,
    /// The model calls the tool with this name.
    Tool(String),
}

/// How a provider caches the beginning of a prompt, so that later requests with the same beginning cost less.
///
/// [`Usage`](crate::Usage) contains the tokens that were read from a cache or written to it.
///
/// ```
/// use typed_prompt::llm::{Options, PromptCache};
///
/// let options = Options { prompt_cache: Some(PromptCache::Instructions), ..Options::default() };
/// assert_ne!(options, Options::default());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PromptCache {
    /// The tools and the system messages are cached: the part that requests of a prompt have in common. For Anthropic.
    Instructions,
    /// The tools, the system messages and all other messages are cached, for a conversation that continues. For Anthropic.
    Conversation,
    /// Requests with this key use the same cache. For OpenAI, which caches the beginnings of prompts without a request.
    Key(String),
}

/// The effort of a model's reasoning before it answers.
///
/// Each provider and model accepts some of the levels.
///
/// ```
/// assert_eq!(typed_prompt::llm::ReasoningEffort::High.name(), "high");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ReasoningEffort {
    /// Not at all.
    None,
    /// As little as possible.
    Minimal,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
    /// More than much.
    ExtraHigh,
    /// As much as possible.
    Max,
}

impl ReasoningEffort {
    /// All levels, from the lowest to the highest.
    ///
    /// ```
    /// assert_eq!(typed_prompt::llm::ReasoningEffort::ALL[0].name(), "none");
    /// ```
    pub const ALL: &[ReasoningEffort] = &[
        ReasoningEffort::None,
        ReasoningEffort::Minimal,
        ReasoningEffort::Low,
        ReasoningEffort::Medium,
        ReasoningEffort::High,
        ReasoningEffort::ExtraHigh,
        ReasoningEffort::Max,
    ];

    /// The name of the level in OpenAI's API.
    ///
    /// ```
    /// assert_eq!(typed_prompt::llm::ReasoningEffort::ExtraHigh.name(), "xhigh");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            ReasoningEffort::None => "none",
            ReasoningEffort::Minimal => "minimal",
            ReasoningEffort::Low => "low",
            ReasoningEffort::Medium => "medium",
            ReasoningEffort::High => "high",
            ReasoningEffort::ExtraHigh => "xhigh",
            ReasoningEffort::Max => "max",
        }
    }
}
