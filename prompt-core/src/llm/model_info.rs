//! What a model tells about itself.

use prompt_base::hash::Fnv1a;

use crate::Options;

/// What determines the answers of a model besides the request. Results that are kept record it, so that answers of different models are
/// not mixed.
///
/// ```
/// use typed_prompt::llm::{ModelInfo, Options};
///
/// let info = ModelInfo::new("openai::gpt-4o").options(Options::new().temperature(0.0));
/// assert_eq!((info.name.as_str(), info.format), ("openai::gpt-4o", None));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct ModelInfo {
    /// The name of the model, after that of its provider if it has one.
    pub name: String,
    /// The format in which the model receives a conversation, with its version. `None` if the server formats it.
    pub format: Option<String>,
    /// The options of requests that set none.
    pub options: Options,
    /// Whether replies have a cost, [`Reply::cost`](crate::Reply::cost). `None` if it is not known before a reply.
    pub has_prices: Option<bool>,
}

impl ModelInfo {
    /// A model whose server formats the conversation, and that sets no options.
    pub fn new(name: impl Into<String>) -> ModelInfo {
        ModelInfo {
            name: name.into(),
            ..ModelInfo::default()
        }
    }

    /// Sets the format in which the model receives a conversation: its name, and a conversation in it. The version of the format is a hash
    /// of this text, which changes with everything that a format writes.
    ///
    /// ```
    /// use typed_prompt::llm::ModelInfo;
    ///
    /// let info = ModelInfo::new("llama").format("chatml", "<|im_start|>user\nHi<|im_end|>\n");
    /// assert_eq!(info.format.as_deref(), Some("chatml adbd5ad459557d72"));
    /// ```
    pub fn format(mut self, name: &str, sample: &str) -> ModelInfo {
        self.format = Some(format!("{name} {:016x}", Fnv1a::hash(sample)));
        self
    }

    /// Sets the options of requests that set none.
    pub fn options(mut self, options: Options) -> ModelInfo {
        self.options = options;
        self
    }

    /// Sets whether replies have a cost. A budget refuses the calls of a model without prices.
    pub fn has_prices(mut self, has_prices: bool) -> ModelInfo {
        self.has_prices = Some(has_prices);
        self
    }
}
