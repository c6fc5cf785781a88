//! The reply of a model: text, tool calls, finish reason and token usage.

use crate::{Message, Result, Structured, ToolCall, Tools};

/// The reply of a model.
///
/// ```
/// let reply = typed_prompt::Reply::new("Hello.");
/// assert!(reply.tool_calls.is_empty());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Reply {
    /// The text.
    pub text: String,
    /// The reasoning before the answer, where the server separates the two.
    pub reasoning: Option<String>,
    /// The tools that the model calls.
    pub tool_calls: Vec<ToolCall>,
    /// The number of tokens of the call.
    pub usage: Option<Usage>,
    /// The cost of these tokens, if the model has prices.
    pub cost: Option<f64>,
    /// Which model answered.
    pub model: Option<String>,
    /// Why the answer ended.
    pub finish: Option<FinishReason>,
    /// How the JSON Schema of the answer was passed to the model; `None` if there was none, or if this is unknown.
    pub structured: Option<Structured>,
    /// The provider's id of the answer.
    pub id: Option<String>,
    /// The log-probabilities of the tokens that the model wrote, if [`Options::log_probs`](crate::Options::log_probs) requests them.
    pub log_probs: Vec<TokenLogProb>,
}

impl Reply {
    /// An answer of text.
    pub fn new(text: impl Into<String>) -> Reply {
        Reply {
            text: text.into(),
            ..Reply::default()
        }
    }

    /// An answer that calls tools.
    ///
    /// ```
    /// use typed_prompt::{Reply, ToolCall, llm::FinishReason};
    ///
    /// let reply = Reply::calls([ToolCall::new("1", "add", "{}")]);
    /// assert_eq!(reply.finish, Some(FinishReason::ToolCalls));
    /// ```
    pub fn calls(calls: impl IntoIterator<Item = ToolCall>) -> Reply {
        Reply {
            tool_calls: calls.into_iter().collect(),
            finish: Some(FinishReason::ToolCalls),
            ..Reply::default()
        }
    }

    /// The answer as a message, to go on with the conversation.
    ///
    /// ```
    /// use typed_prompt::{Message, Reply};
    ///
    /// let mut reply = Reply::new("4");
    /// reply.reasoning = Some("Easy.".to_owned());
    /// assert_eq!(reply.message(), Message::assistant("4").with_reasoning("Easy."));
    /// ```
    pub fn message(&self) -> Message {
        Message {
            tool_calls: self.tool_calls.clone(),
            ..Message::assistant(&*self.text)
        }
        .with_reasoning(self.reasoning.as_deref().unwrap_or_default())
    }

    /// Sets the name of the model that answered.
    ///
    /// ```
    /// assert_eq!(typed_prompt::Reply::new("Hi").with_model("m-1").model.as_deref(), Some("m-1"));
    /// ```
    pub fn with_model(mut self, model: impl Into<String>) -> Reply {
        self.model = Some(model.into());
        self
    }

    /// Sets the reason why the answer ended.
    pub fn with_finish(mut self, finish: FinishReason) -> Reply {
        self.finish = Some(finish);
        self
    }

    /// Sets how the JSON Schema of the answer was passed to the model.
    pub fn with_structured(mut self, structured: Structured) -> Reply {
        self.structured = Some(structured);
        self
    }

    /// Sets the number of tokens of the call.
    pub fn with_usage(mut self, usage: Usage) -> Reply {
        self.usage = Some(usage);
        self
    }

    /// Reads the answer as a value of a type, as the output type of a prompt does: see [`output::parse_json`](crate::output::parse_json).
    ///
    /// ```
    /// use typed_prompt::Reply;
    ///
    /// assert_eq!(Reply::new("Here: [1, '2']").parse::<Vec<u8>>()?, [1, 2]);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// An answer that does not fit the type.
    #[cfg(feature = "schema")]
    pub fn parse<T: crate::output::Answer>(&self) -> Result<T> {
        crate::output::parse_json(self)
    }

    /// Reads the tool calls as variants of an enum of tools, for programs that run them without a [`ToolLoop`](crate::ToolLoop).
    ///
    /// ```
    /// use typed_prompt::{Reply, ToolCall};
    ///
    /// let reply = Reply::calls([ToolCall::new("1", "add", "{}")]);
    /// let [call] = &reply.tools::<ToolCall>()?[..] else { panic!() }; // or an enum with `#[derive(Tools)]`
    /// assert_eq!(call.name, "add");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A call of a tool that there is not, or with arguments that do not fit.
    pub fn tools<T: Tools>(&self) -> Result<Vec<T>> {
        self.tool_calls.iter().map(T::parse).collect()
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Reply {
        Reply::new(text)
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Reply {
        Reply::new(text)
    }
}

/// A token of an answer with its log-probability, and those of the most probable alternatives.
///
/// ```
/// use typed_prompt::llm::TokenLogProb;
///
/// let token = TokenLogProb::new("yes", -0.1).with_top([("yes".to_owned(), -0.1), ("no".to_owned(), -2.4)]);
/// assert_eq!(token.top[1].0, "no");
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TokenLogProb {
    /// The text of the token.
    pub token: String,
    /// Its natural logarithm of the probability.
    pub log_prob: f64,
    /// The most probable tokens at this position, the token itself included.
    pub top: Vec<(String, f64)>,
}

impl TokenLogProb {
    /// A token without alternatives.
    pub fn new(token: impl Into<String>, log_prob: f64) -> TokenLogProb {
        TokenLogProb {
            token: token.into(),
            log_prob,
            top: Vec::new(),
        }
    }

    /// Sets the most probable tokens.
    pub fn with_top(mut self, top: impl IntoIterator<Item = (String, f64)>) -> TokenLogProb {
        self.top = top.into_iter().collect();
        self
    }
}

/// The number of tokens of a call. The numbers have the same meaning for all providers.
///
/// A provider that does not report a number has 0.
///
/// ```
/// use typed_prompt::{Reply, llm::Usage};
///
/// let reply = Reply::new("Hi").with_usage(Usage::new(8, 1));
/// assert_eq!(reply.usage.unwrap().input, 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Usage {
    /// All tokens of the prompt, including those that were read from a cache or written to it.
    pub input: u64,
    /// All tokens that the model generated, including its reasoning.
    pub output: u64,
    /// The tokens of `input` that the provider read from its prompt cache.
    pub cached_input: u64,
    /// The tokens of `input` that the provider wrote to its prompt cache.
    pub cache_writes: u64,
    /// The tokens of `output` that are reasoning.
    pub reasoning: u64,
}

impl Usage {
    /// The token counts of a call without a cache and without reasoning.
    ///
    /// ```
    /// let mut usage = typed_prompt::llm::Usage::new(8, 1);
    /// usage.cached_input = 6;
    /// assert_eq!((usage.input, usage.output, usage.cached_input), (8, 1, 6));
    /// ```
    pub fn new(input: u64, output: u64) -> Usage {
        Usage {
            input,
            output,
            ..Usage::default()
        }
    }
}

/// Adds the tokens of another call.
///
/// ```
/// use typed_prompt::llm::Usage;
///
/// let mut usage = Usage::new(8, 1);
/// usage += Usage::new(9, 2);
/// assert_eq!(usage, Usage::new(17, 3));
/// ```
impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        // Servers may report any numbers.
        for (count, more) in [
            (&mut self.input, other.input),
            (&mut self.output, other.output),
            (&mut self.cached_input, other.cached_input),
            (&mut self.cache_writes, other.cache_writes),
            (&mut self.reasoning, other.reasoning),
        ] {
            *count = count.saturating_add(more);
        }
    }
}

/// Why an answer ended.
///
/// ```
/// use typed_prompt::{Reply, llm::FinishReason};
///
/// let reply = Reply::new("Hi, I am").with_finish(FinishReason::Length);
/// assert_ne!(reply.finish, Some(FinishReason::Stop));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FinishReason {
    /// The model ended its answer.
    Stop,
    /// The answer reached its greatest length.
    Length,
    /// The model calls tools.
    ToolCalls,
    /// The provider withheld the answer, or the model refused; the text contains the reason.
    ContentFilter,
    /// A reason that is specific to the provider.
    Other(String),
}

impl FinishReason {
    /// The reason in one word, as OpenAI's API and OpenTelemetry write it.
    ///
    /// ```
    /// use typed_prompt::llm::FinishReason;
    ///
    /// assert_eq!(FinishReason::ContentFilter.name(), "content_filter");
    /// assert_eq!(FinishReason::from_name("content_filter"), FinishReason::ContentFilter);
    /// ```
    pub fn name(&self) -> &str {
        match self {
            FinishReason::Stop => "stop",
            FinishReason::Length => "length",
            FinishReason::ToolCalls => "tool_calls",
            FinishReason::ContentFilter => "content_filter",
            FinishReason::Other(reason) => reason,
        }
    }

    /// The reason with this name, as any provider writes it. An unknown name is [`FinishReason::Other`].
    ///
    /// ```
    /// use typed_prompt::llm::FinishReason;
    ///
    /// assert_eq!(FinishReason::from_name("end_turn"), FinishReason::Stop);
    /// assert_eq!(FinishReason::from_name("paused"), FinishReason::Other("paused".to_owned()));
    /// ```
    pub fn from_name(name: &str) -> FinishReason {
        match name {
            "stop" | "STOP" | "end_turn" | "stop_sequence" | "STOP_SEQUENCE" | "COMPLETE"
            | "completed" => FinishReason::Stop,
            "length"
            | "max_tokens"
            | "MAX_TOKENS"
            | "max_output_tokens"
            | "incomplete"
            | "model_length"
            | "model_context_window_exceeded" => FinishReason::Length,
            "tool_calls" | "tool_use" | "function_call" | "TOOL_CALL" => FinishReason::ToolCalls,
            "content_filter"
            | "refusal"
            | "SAFETY"
            | "RECITATION"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "LANGUAGE"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION"
            | "ERROR_TOXIC" => FinishReason::ContentFilter,
            _ => FinishReason::Other(name.to_owned()),
        }
    }
}
