//! The parts of an answer in OpenAI's protocol, as its own servers and others write them.
//!
//! [`Reply::from_openai`] parses a whole answer. These functions read single parts, also of the chunks of a stream.
//!
//! ```
//! use serde_json::json;
//! use typed_prompt::openai::answer::{MessageContent, choice, reason, usage};
//!
//! let chunk = json!({"choices": [{"delta": {"content": "Hel", "reasoning_content": "Greet."}, "finish_reason": null}]});
//! let choice = choice(&chunk).unwrap();
//! let content = MessageContent::from_message(&choice["delta"]).unwrap();
//! assert_eq!((&*content.text, &*content.reasoning), ("Hel", "Greet."));
//! assert_eq!((reason(choice), usage(&chunk)), (None, None));
//! ```

use serde_json::Value;

use crate::{Error, ErrorKind, FinishReason, Reply, Result, TokenLogProb, ToolCall, Usage};

impl Reply {
    /// Reads the answer of a chat model in OpenAI's protocol, for programs that send their requests themselves: the whole
    /// body of a response of `/chat/completions`.
    ///
    /// It takes what servers write besides: a content in parts, reasoning, refusals, calls whose arguments are an object.
    ///
    /// # Errors
    /// An error instead of an answer, a body without a message, a content that is not text, and a tool call without a
    /// tool.
    ///
    /// ```
    /// use typed_prompt::{Reply, llm::FinishReason};
    ///
    /// let body = serde_json::json!({
    ///     "choices": [{"message": {"role": "assistant", "content": "4"}, "finish_reason": "stop"}],
    /// });
    /// let reply = Reply::from_openai(&body)?;
    /// assert_eq!((&*reply.text, reply.finish), ("4", Some(FinishReason::Stop)));
    ///
    /// let error = Reply::from_openai(&serde_json::json!({"error": {"message": "no such model"}})).unwrap_err();
    /// assert_eq!(error.to_string(), "the server answers with an error: no such model");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_openai(body: &Value) -> Result<Reply> {
        let wrong = |message: String| Error::new(ErrorKind::Model, message);
        if let Some(error) = error(body) {
            let reason = error.get("message").unwrap_or(error);
            let reason = reason
                .as_str()
                .map_or_else(|| reason.to_string(), str::to_owned);
            return Err(wrong(format!("the server answers with an error: {reason}")));
        }
        let has = |what: &str| wrong(format!("the server's answer has {what}"));
        let help = "give the whole body that `/chat/completions` answers with";
        let message = message(body).ok_or_else(|| has("no message").with_help(help))?;
        let content = MessageContent::from_message(message)
            .ok_or_else(|| has("a message that is not text"))?;
        let calls = calls(message).map(|piece| piece.call);
        let finish = choice(body).and_then(reason).map(FinishReason::from_name);
        Ok(Reply {
            text: content.text,
            reasoning: (!content.reasoning.is_empty()).then_some(content.reasoning),
            tool_calls: require_names(calls).ok_or_else(|| has("a tool call without a name"))?,
            usage: usage(body),
            cost: None,
            model: model(body),
            finish: match content.refused {
                true => Some(FinishReason::ContentFilter),
                false => finish,
            },
            structured: None,
            id: id(body),
            log_probs: choice(body).map(choice_log_probs).unwrap_or_default(),
        })
    }
}

/// The first of the answers. Servers may send several, in any order.
pub fn choice(body: &Value) -> Option<&Value> {
    first_choice(body.get("choices")?.as_array()?)
}

/// The first of several answers: the one with the index 0, or without an index.
pub fn first_choice(choices: &[Value]) -> Option<&Value> {
    let first = choices.iter().find(|choice| is_first_choice(choice));
    first.or_else(|| choices.first())
}

/// Whether an answer is the first of several. Some servers send no index.
pub fn is_first_choice(choice: &Value) -> bool {
    choice.get("index").and_then(count).unwrap_or_default() == 0
}

/// A number of tokens, or an index. Some servers write it as a floating-point number or as a string.
pub fn count(value: &Value) -> Option<u64> {
    let number = match value {
        Value::String(text) => text.parse().ok()?,
        value => value.as_f64()?,
    };
    // Beyond 2^53 a floating-point number is not exact.
    let exact = || value.as_u64();
    exact().or_else(|| {
        format!("{:.0}", Some(number).filter(|number| *number >= 0.0)?)
            .parse()
            .ok()
    })
}

/// The message of the first answer.
pub fn message(body: &Value) -> Option<&Value> {
    let message = choice(body)?.get("message")?;
    message.is_object().then_some(message)
}

/// The error object of a body. Gateways send it with the status of a success too.
pub fn error(body: &Value) -> Option<&Value> {
    let errors = [
        body.get("error"),
        choice(body).and_then(|choice| choice.get("error")),
    ];
    let is_none = |error: &Value| match error {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    if let Some(error) = errors.into_iter().flatten().find(|error| !is_none(error)) {
        return Some(error);
    }
    // vLLM's error object is the whole body.
    let is_error = body.get("object").and_then(Value::as_str) == Some("error");
    (is_error && body.get("message").is_some()).then_some(body)
}

/// The token counts, if the server reports any.
pub fn usage(body: &Value) -> Option<Usage> {
    // Groq uses another field in streams.
    let reason = [body.get("usage"), body.pointer("/x_groq/usage")];
    let reason = reason
        .into_iter()
        .flatten()
        .find(|usage| usage.is_object())?;
    let tokens = |names: [&str; 2]| names.iter().find_map(|name| count(reason.get(name)?));
    let input = tokens(["prompt_tokens", "input_tokens"]);
    let output = tokens(["completion_tokens", "output_tokens"]);
    let detail = |pointers: [&str; 3]| {
        let found = pointers
            .iter()
            .find_map(|pointer| count(reason.pointer(pointer)?));
        found.unwrap_or_default()
    };
    (input.is_some() || output.is_some()).then(|| Usage {
        input: input.unwrap_or_default(),
        output: output.unwrap_or_default(),
        cached_input: detail([
            "/prompt_tokens_details/cached_tokens",
            "/input_tokens_details/cached_tokens",
            "/prompt_cache_hit_tokens",
        ]),
        cache_writes: detail([
            "/prompt_tokens_details/cache_write_tokens",
            "/input_tokens_details/cache_write_tokens",
            "/cache_creation_input_tokens",
        ]),
        reasoning: detail([
            "/completion_tokens_details/reasoning_tokens",
            "/output_tokens_details/reasoning_tokens",
            "/reasoning_tokens",
        ]),
    })
}

/// The name of the model that answered.
pub fn model(body: &Value) -> Option<String> {
    body.get("model")?.as_str().map(str::to_owned)
}

/// The id of the answer.
pub fn id(body: &Value) -> Option<String> {
    body.get("id")?.as_str().map(str::to_owned)
}

/// The log-probabilities of a choice.
pub fn choice_log_probs(choice: &Value) -> Vec<TokenLogProb> {
    let list = choice.pointer("/logprobs/content");
    list.map(log_probs).unwrap_or_default()
}

/// A list of tokens with their log-probabilities.
pub fn log_probs(list: &Value) -> Vec<TokenLogProb> {
    let pair = |token: &Value| {
        let text = token.get("token")?.as_str()?.to_owned();
        Some((text, token.get("logprob")?.as_f64()?))
    };
    let tokens = list.as_array().into_iter().flatten();
    tokens
        .filter_map(|token| {
            let (text, log_prob) = pair(token)?;
            let top = token.get("top_logprobs").and_then(Value::as_array);
            let top = top.into_iter().flatten().filter_map(pair);
            Some(TokenLogProb::new(text, log_prob).with_top(top))
        })
        .collect()
}

/// Why the answer ended; some servers write an empty reason until then.
pub fn reason(choice: &Value) -> Option<&str> {
    let reason = choice.get("finish_reason")?.as_str()?;
    (!reason.is_empty()).then_some(reason)
}

/// The text and the reasoning of a message, or of a part of one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MessageContent {
    /// The text. A refusal is text too.
    pub text: String,
    /// The reasoning before it.
    pub reasoning: String,
    /// Whether the text ends with a refusal.
    pub refused: bool,
}

impl MessageContent {
    /// Reads the content of a message, or of a part of one. Returns `None` if the message has content without text.
    pub fn from_message(message: &Value) -> Option<MessageContent> {
        let mut content = MessageContent::default();
        let text = |key: &str| {
            message
                .get(key)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
        };
        let reason = ["reasoning_content", "reasoning"]
            .into_iter()
            .find_map(text);
        content.reasoning.push_str(reason.unwrap_or_default());
        match message.get("content") {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => content.text.push_str(text),
            Some(Value::Array(parts)) => {
                let unknown = parts
                    .iter()
                    .filter(|part| !content.add_part(part, reason.is_some()))
                    .count();
                if unknown > 0 && unknown == parts.len() {
                    return None;
                }
            }
            Some(_) => return None,
        }
        if let Some(refusal) = text("refusal") {
            content.add_refusal(refusal);
        }
        Some(content)
    }

    /// Adds a part of a content that is a list. Returns `false` if the part is unknown.
    fn add_part(&mut self, part: &Value, has_reasoning: bool) -> bool {
        let text = |key: &str| part.get(key).and_then(Value::as_str);
        if let Some(refusal) = text("refusal") {
            self.add_refusal(refusal);
        } else if let Some(thought) = part.get("thinking") {
            if !has_reasoning {
                self.reasoning.push_str(&thinking_text(thought));
            }
        } else if let Some(text) = text("text").or_else(|| part.as_str()) {
            self.text.push_str(text);
        } else {
            return false;
        }
        true
    }

    fn add_refusal(&mut self, refusal: &str) {
        self.text.push_str(refusal);
        self.refused = true;
    }
}

/// Mistral's reasoning: a string, or a list of parts with texts.
fn thinking_text(thought: &Value) -> String {
    match thought {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect()
        }
        _ => String::new(),
    }
}

/// A tool call, or a part of a streamed one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolCallDelta {
    /// The number of the call in a stream.
    pub index: Option<u64>,
    /// The call. In a stream, its arguments are a part of the text.
    pub call: ToolCall,
}

/// The tool calls of a message, or the parts of streamed ones.
pub fn calls(message: &Value) -> impl Iterator<Item = ToolCallDelta> {
    let several = match message.get("tool_calls") {
        Some(Value::Array(calls)) => &calls[..],
        Some(call @ Value::Object(_)) => std::slice::from_ref(call),
        _ => &[],
    };
    // The older field of a single call.
    let one = message
        .get("function_call")
        .filter(|call| call.is_object() && several.is_empty());
    several.iter().chain(one).map(|call| {
        let function = call.get("function").unwrap_or(call);
        ToolCallDelta {
            index: call.get("index").and_then(count),
            call: ToolCall {
                id: match call.get("id") {
                    Some(Value::String(id)) if !id.is_empty() => Some(id.clone()),
                    Some(Value::Number(id)) => Some(id.to_string()),
                    _ => None,
                },
                name: function
                    .get("name")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned(),
                arguments: match function.get("arguments") {
                    None | Some(Value::Null) => String::new(),
                    Some(Value::String(text)) => text.clone(),
                    // Some write the object itself.
                    Some(other) => other.to_string(),
                },
            },
        }
    })
}

/// The calls, or `None` if a call has no tool name.
pub fn require_names(calls: impl Iterator<Item = ToolCall>) -> Option<Vec<ToolCall>> {
    calls
        .map(|call| (!call.name.is_empty()).then_some(call))
        .collect()
}
