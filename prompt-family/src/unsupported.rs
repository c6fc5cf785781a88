//! Models whose chat format is not built in, and the reason.

/// Models whose chat format is not built in. Their own chat template writes it.
///
/// ```
/// use typed_prompt::format;
///
/// let error = format::from_name("ai21labs/AI21-Jamba-1.5-Mini").err().unwrap();
/// assert!(error.message().starts_with("the chat format of Jamba is not built in: "));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsupportedModel {
    /// The name for people.
    pub title: &'static str,
    /// A part of the models' names.
    pub name: &'static str,
    /// Why the format is not built in.
    pub reason: &'static str,
}

const fn unsupported_model(
    title: &'static str,
    name: &'static str,
    reason: &'static str,
) -> UnsupportedModel {
    UnsupportedModel {
        title,
        name,
        reason,
    }
}

const NOT_READ: &str = "its chat template could not be read";
const OF_VLLM: &str =
    "only vLLM's template for its tools could be read, which is not the model's own";
const NOT_ORIGINAL: &str = "only a version of its chat template by others could be read, which differs from the model's own";

/// The models whose chat format is not built in although they are known, by title.
///
/// ```
/// assert!(typed_prompt::format::UNSUPPORTED.iter().all(|model| !model.reason.is_empty()));
/// ```
pub const UNSUPPORTED: &[UnsupportedModel] = &[
    unsupported_model("Apertus 1.5", "apertus-v1.5", NOT_READ),
    unsupported_model("Command A", "command-a", NOT_READ),
    unsupported_model("DeepSeek V4.1", "deepseek-v4.1", NOT_READ),
    unsupported_model("ERNIE 4.5", "ernie-4.5", NOT_READ),
    unsupported_model("FunctionGemma", "functiongemma", OF_VLLM),
    unsupported_model(
        "GigaChat 3",
        "gigachat3",
        "its tokenizer could not be read, which defines the token at the start of its template",
    ),
    unsupported_model("Hunyuan A13B", "hunyuan-a13b", OF_VLLM),
    unsupported_model("Jamba", "jamba", NOT_READ),
    unsupported_model("Kimi K2.5", "kimi-k2.5", NOT_READ),
    unsupported_model(
        "LLaVA-NeXT",
        "llava-v1.6",
        "its template takes one text for each answer, and images only before the text",
    ),
    unsupported_model("Olmo 3 7B Instruct", "olmo-3-7b-instruct", NOT_READ),
    unsupported_model("Olmo 3 7B Think", "olmo-3-7b-think", NOT_ORIGINAL),
    unsupported_model("Olmo 3 32B Think", "olmo-3-32b-think", NOT_ORIGINAL),
    unsupported_model("Olmo 3.1 32B Think", "olmo-3.1-32b-think", NOT_ORIGINAL),
];
