//! The options of requests, such as the temperature, and their setters on every type that carries options.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::{Error, ErrorKind, Fingerprint, Messages, Request, Result, Tool};

/// Defines the setters of [`Options`](crate::Options) as methods of a type that contains options, in an `impl` block.
///
/// The argument is the field that contains them. The method `options` sets several at once. The crate of the type depends on
/// `serde_json`.
///
/// ```
/// use typed_prompt::{Llm, MockLlm, Reply, Request, llm::{BoxFuture, Options, option_setters}};
/// use typed_prompt::Result;
///
/// struct Server {
///     model: MockLlm,
///     defaults: Options,
/// }
///
/// impl Server {
///     option_setters!(|self| self.defaults);
/// }
///
/// impl Llm for Server {
///     fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
///         let options = request.options.clone().or(&self.defaults);
///         Box::pin(async move { self.model.send(&request.clone().with_options(options)).await })
///     }
/// }
///
/// let model = MockLlm::new(["Hi."]);
/// let server = Server { model, defaults: Options::new() }.max_tokens(80).temperature(0.0);
/// assert_eq!(server.defaults.max_tokens, Some(80));
/// ```
// The one list of options: the struct, `Options::or` and the setters of every type are made from it.
#[macro_export]
macro_rules! option_setters {
    (@list $output:ident [$($argument:tt)*]) => {
        $crate::option_setters! { @$output [$($argument)*]
            /// Sets the sampling temperature: the randomness of the answer.
            temperature: Option<f64> => temperature(value: f64) |option| *option = Some(value);
            /// Sets the probability mass from which tokens are drawn.
            top_p: Option<f64> => top_p(value: f64) |option| *option = Some(value);
            /// Sets the maximum length of the answer in tokens.
            max_tokens: Option<u64> => max_tokens(tokens: u64) |option| *option = Some(tokens);
            /// Sets the seed, which makes answers repeatable as far as the model supports it.
            seed: Option<u64> => seed(seed: u64) |option| *option = Some(seed);
            /// Sets the texts at which the answer ends.
            stop: Vec<String> => stop(texts: impl $crate::Texts)
                |option| *option = $crate::Texts::into_texts(texts).collect();
            /// Sets whether the model calls tools.
            tool_choice: Option<$crate::ToolChoice> => tool_choice(choice: $crate::ToolChoice)
                |option| *option = Some(choice);
            /// Sets whether the model may call several tools in one answer.
            parallel_tool_calls: Option<bool> => parallel_tool_calls(allowed: bool) |option| *option = Some(allowed);
            /// Sets the effort of the model's reasoning.
            reasoning_effort: Option<$crate::ReasoningEffort> => reasoning_effort(effort: $crate::ReasoningEffort)
                |option| *option = Some(effort);
            /// Requests the log-probability of each token, and of this number of alternatives: see
            /// `Reply::log_probs`.
            log_probs: Option<u8> => log_probs(alternatives: u8) |option| *option = Some(alternatives);
            /// Sets how the provider caches the beginning of the prompt.
            prompt_cache: Option<$crate::PromptCache> => prompt_cache(cache: $crate::PromptCache)
                |option| *option = Some(cache);
            /// Sets how long the provider keeps what it writes to its cache, with `prompt_cache`. Each provider accepts some times: docs/providers.md has them.
            prompt_cache_ttl: Option<std::time::Duration> => prompt_cache_ttl(ttl: std::time::Duration)
                |option| *option = Some(ttl);
            /// Adds a field to the body of requests, for options of a particular server: `top_k`, `service_tier`, … It replaces
            /// the field of this name that is sent otherwise.
            fields: serde_json::Map<String, serde_json::Value> =>
                field(name: impl Into<String>, value: impl Into<serde_json::Value>)
                |option| _ = option.insert(name.into(), value.into());
            /// Sets the longest wait for the answer.
            timeout: Option<std::time::Duration> => timeout(timeout: std::time::Duration)
                |option| *option = Some(timeout);
            /// Sets how often the prompt is sent again when the answer does not match the output type; 0 for never. The refused answer and
            /// its error follow the text of the last message of the user, as data: no message is added.
            output_retries: Option<u32> => output_retries(retries: u32) |option| *option = Some(retries);
        }
    };
    (@setters [$self:ident $options:expr] $(
        $(#[$doc:meta])*
        $name:ident: $ty:ty => $setter:ident($($argument:ident: $argument_ty:ty),*) |$option:ident| $set:expr;
    )*) => {$(
        $(#[$doc])*
        pub fn $setter(mut $self, $($argument: $argument_ty),*) -> Self {
            let $option = &mut $options.$name;
            $set;
            $self
        }
    )*};
    (@options [$(#[$attribute:meta])*] $(
        $(#[$doc:meta])*
        $name:ident: $ty:ty => $setter:ident($($argument:ident: $argument_ty:ty),*) |$option:ident| $set:expr;
    )*) => {
        $(#[$attribute])*
        #[must_use = "options have an effect where they are given to a call, a request or a model"]
        pub struct Options {
            $($(#[$doc])* pub $name: $ty,)*
        }

        impl Options {
            /// Returns these options, with those of `defaults` where they are not set.
            ///
            /// ```
            /// use typed_prompt::llm::Options;
            ///
            /// let defaults = Options::new().seed(1).max_tokens(9);
            /// let options = Options::new().seed(2).or(&defaults);
            /// assert_eq!((options.seed, options.max_tokens), (Some(2), Some(9)));
            /// ```
            pub fn or(self, defaults: &Options) -> Options {
                Options {
                    $($name: self.$name.or_default_of(&defaults.$name),)*
                }
            }
        }
    };
    (|$self:ident| $options:expr) => {
        /// Sets options of requests. Options that are not set here keep their earlier values.
        pub fn options(mut $self, options: $crate::Options) -> Self {
            $options = options.or(&$options);
            $self
        }

        $crate::option_setters! { @list setters [$self $options] }
    };
}

option_setters! { @list options [
    /// How a model answers. Options that are `None` or empty are left to the model.
    ///
    /// An option that a provider does not accept is an error that names both. Each option is also a method of the types that send
    /// requests, such as `ChatModel` and [`ToolLoop`](crate::ToolLoop).
    ///
    /// ```
    /// use typed_prompt::llm::{Options, ReasoningEffort, ToolChoice};
    ///
    /// let options = Options::new()
    ///     .temperature(0.0)
    ///     .tool_choice(ToolChoice::Required)
    ///     .reasoning_effort(ReasoningEffort::Low);
    /// assert!(options.max_tokens.is_none());
    /// ```
    #[derive(Clone, PartialEq, Debug, Default)]
] }

impl Options {
    /// Returns options of which none is set.
    pub fn new() -> Options {
        Options::default()
    }

    option_setters! { @list setters [self self] }

    /// Checks the numbers and the timeout. Calls, tool loops, `MockLlm` and the models of the feature `client` do so before a request is sent.
    ///
    /// ```
    /// use typed_prompt::llm::Options;
    ///
    /// assert!(Options::new().temperature(0.7).check_values().is_ok());
    /// let error = Options::new().max_tokens(0).check_values().unwrap_err();
    /// assert_eq!(error.message(), "the option `max_tokens` is 0, so that each answer is empty");
    /// ```
    ///
    /// # Errors
    /// A temperature, a `top_p`, a length or a timeout with which no model answers.
    pub fn check_values(&self) -> Result<()> {
        let refuse = |message: String, help: &str| {
            Err(Error::new(ErrorKind::Unsupported, message).with_help(help))
        };
        // JSON has no infinite numbers and no NaN, so that an option with one would be missing in the request. No model samples at a negative
        // temperature, and `top_p` is a probability.
        let numbers = [
            (
                "temperature",
                self.temperature,
                f64::MAX,
                "set a finite number from 0 up",
            ),
            ("top_p", self.top_p, 1.0, "set a probability, from 0 to 1"),
        ];
        for (option, value, most, help) in numbers {
            if let Some(value) = value.filter(|value| !(0.0..=most).contains(value)) {
                let message = format!("the option `{option}` is {value}, which no model accepts");
                return refuse(message, help);
            }
        }
        if self.max_tokens == Some(0) {
            let message = "the option `max_tokens` is 0, so that each answer is empty".to_owned();
            return refuse(message, "set a number from 1, or leave it out");
        }
        if self.timeout == Some(Duration::ZERO) {
            let message = "the option `timeout` is 0, so that each call fails".to_owned();
            return refuse(
                message,
                "set a time such as `Duration::from_secs(60)`, or `Duration::MAX` for no limit",
            );
        }
        Ok(())
    }
}

/// An option that takes the default where it is not set.
trait OrDefaultOf {
    fn or_default_of(self, default: &Self) -> Self;
}

impl<T: Clone> OrDefaultOf for Option<T> {
    fn or_default_of(self, default: &Self) -> Self {
        self.or_else(|| default.clone())
    }
}

impl OrDefaultOf for Vec<String> {
    fn or_default_of(self, default: &Self) -> Self {
        match self.is_empty() {
            true => default.clone(),
            false => self,
        }
    }
}

impl OrDefaultOf for Map<String, Value> {
    fn or_default_of(self, default: &Self) -> Self {
        let mut fields = default.clone();
        fields.extend(self);
        fields
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
/// let options = Options::new().tool_choice(ToolChoice::Tool("search".to_owned()));
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
    /// The model calls the tool with this name, by which the prompt offers it: a variant `LakeDepth` of an enum of tools is the tool `lake_depth`.
    Tool(String),
}

impl ToolChoice {
    /// Checks that a tool which the model has to call is one of those that it receives. Calls, tool loops, `MockLlm` and the models of the feature `client` do so
    /// before a request is sent.
    ///
    /// ```
    /// use typed_prompt::{Tool, llm::ToolChoice};
    ///
    /// let error = ToolChoice::Tool("LakeDepth".to_owned()).check_tools(&[Tool::new("lake_depth")]).unwrap_err();
    /// assert_eq!(error.to_string(), "`tool_choice`: there is no tool `LakeDepth`; did you mean `lake_depth`?");
    /// ```
    ///
    /// # Errors
    /// There is no tool of this name, or no tool at all.
    pub fn check_tools(&self, tools: &[Tool]) -> Result<()> {
        match self {
            ToolChoice::Auto | ToolChoice::None => Ok(()),
            _ if tools.is_empty() => {
                let message =
                    "the option `tool_choice` requires a tool call, and the prompt has no tools";
                let help = "leave it out, or call the prompt with tools: `llm.with_tools(&prompt)`";
                Err(Error::new(ErrorKind::Tool, message).with_help(help))
            }
            ToolChoice::Tool(name) if tools.iter().all(|tool| tool.name() != name) => {
                let names: Vec<&str> = tools.iter().map(Tool::name).collect();
                Err(Error::unknown_name("tool", name, &names).inside("`tool_choice`"))
            }
            ToolChoice::Required | ToolChoice::Tool(_) => Ok(()),
        }
    }
}

/// How a provider caches the beginning of a prompt, so that later requests with the same beginning cost less.
///
/// [`Usage`](crate::Usage) contains the tokens that were read from a cache or written to it.
///
/// ```
/// use typed_prompt::llm::{Options, PromptCache};
///
/// let options = Options::new().prompt_cache(PromptCache::Instructions);
/// assert_ne!(options, Options::default());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PromptCache {
    /// The tools and the system messages are cached: the part that requests of a prompt have in common. For Anthropic, and for OpenAI's models since
    /// GPT-5.6, which then write nothing else to the cache.
    Instructions,
    /// The tools, the system messages and all other messages are cached, for a conversation that continues. For Anthropic, and for OpenAI's models
    /// since GPT-5.6.
    Conversation,
    /// The ends of these messages are marked, by their index: what precedes each of them is cached, for prompts whose parts change at different times. One to
    /// four. For Anthropic, and for OpenAI's models since GPT-5.6, which then write nothing else to the cache; its Responses API has no marks of assistant
    /// messages.
    Messages(Vec<usize>),
    /// The beginning of the prompt is kept by the provider under a name, and is not sent. For Gemini: `ChatModel::store_prompt`.
    Stored(StoredPrompt),
    /// Requests with this key are sent to the same cache. For OpenAI.
    Key(String),
}

/// The beginning of prompts that a provider keeps under a name: `client::ChatModel::store_prompt` makes one, and `client::ChatModel::delete_prompt` deletes it.
/// [`PromptCache::Stored`] is a request with it.
///
/// ```
/// use typed_prompt::{Message, Messages, llm::StoredPrompt};
///
/// let manual = Messages::from([Message::system("The manual: …")]);
/// let stored = StoredPrompt::new("cachedContents/a1", &manual)?;
/// let ask = Messages::from([Message::system("The manual: …"), Message::user("How deep?")]);
/// assert!(stored.is_beginning_of(&ask)?);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StoredPrompt {
    name: String,
    messages: usize,
    fingerprint: Fingerprint,
}

impl StoredPrompt {
    /// A beginning by the name that the provider gave it.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, llm::StoredPrompt};
    ///
    /// let manual = Messages::from([Message::system("The manual: …")]);
    /// let stored = StoredPrompt::new("cachedContents/a1", &manual)?; // `ChatModel::store_prompt` made it in an earlier run
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A part of the messages has no form in JSON.
    pub fn new(name: impl Into<String>, beginning: &Messages) -> Result<StoredPrompt> {
        Ok(StoredPrompt {
            name: name.into(),
            messages: beginning.len(),
            fingerprint: Request::from_messages(beginning.clone()).fingerprint()?,
        })
    }

    /// The name at the provider.
    ///
    /// ```
    /// use typed_prompt::{Messages, llm::StoredPrompt};
    ///
    /// let stored = StoredPrompt::new("cachedContents/a1", &Messages::new())?;
    /// assert_eq!(stored.name(), "cachedContents/a1");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of messages that it contains.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, llm::StoredPrompt};
    ///
    /// let manual = Messages::from([Message::system("The manual: …")]);
    /// assert_eq!(StoredPrompt::new("cachedContents/a1", &manual)?.message_count(), 1);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn message_count(&self) -> usize {
        self.messages
    }

    /// Returns whether messages begin with it, and have the same tools.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Tool, llm::StoredPrompt};
    ///
    /// let manual = Messages::from([Message::system("The manual: …")]);
    /// let stored = StoredPrompt::new("cachedContents/a1", &manual)?;
    /// assert!(stored.is_beginning_of(&manual)?);
    /// assert!(!stored.is_beginning_of(&manual.with_tool(Tool::new("look")))?);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A part of the messages has no form in JSON.
    pub fn is_beginning_of(&self, messages: &Messages) -> Result<bool> {
        let mut beginning: Messages = messages.iter().take(self.messages).cloned().collect();
        *beginning.tools_mut() = messages.tools().to_vec();
        Ok(StoredPrompt::new("", &beginning)?.fingerprint == self.fingerprint)
    }
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
