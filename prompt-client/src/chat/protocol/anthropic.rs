//! Anthropic's messages.

use prompt_core::{FinishReason, ToolCall, Usage};
use prompt_core::{ReasoningEffort, ToolChoice};
use serde_json::{Map, Value, json};

use super::Protocol;
use crate::answer::{AnswerReader, PartialCall, ReceivedAnswer};
use crate::chat::draft::RequestDraft;
use crate::error::CallError;
use crate::http::KeyHeader;
use crate::json_body::{count_at, list_at, set_field, set_list, string_at, to_json};
use crate::schema::close_objects;

/// Anthropic's messages.
#[derive(Debug)]
pub(in crate::chat) struct AnthropicMessages;

impl Protocol for AnthropicMessages {
    fn name(&self) -> &'static str {
        "Anthropic"
    }

    fn path(&self, _: &str, _: bool) -> String {
        "messages".to_owned()
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        // The version of the API.
        &[("anthropic-version", "2023-06-01")]
    }

    fn key_header(&self) -> KeyHeader {
        KeyHeader::Header("x-api-key")
    }

    fn request_body(&self, draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
        write_body(draft)
    }

    fn answer_reader(&self, _: &str) -> Box<dyn AnswerReader> {
        Box::<AnthropicReader>::default()
    }
}

fn write_body(draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
    let options = draft.options;
    let mut conversation = draft.messages.anthropic().reasoning_blocks(&draft.blocks);
    if let Some(cache) = &options.prompt_cache {
        conversation = conversation.prompt_cache(cache);
    }
    if let Some(ttl) = draft.cache_ttl {
        conversation = conversation.prompt_cache_ttl(ttl);
    }
    let conversation = to_json(&conversation)?;
    let mut body = Map::new();
    set_field(&mut body, "model", draft.model);
    set_field(&mut body, "stream", draft.stream);
    for name in ["system", "tools", "messages"] {
        set_field(&mut body, name, conversation.get(name));
    }
    let mut output = Map::new();
    if let Some((_, schema)) = &draft.schema {
        let format = json!({"type": "json_schema", "schema": close_objects(schema)});
        set_field(&mut output, "format", format);
    }
    set_field(
        &mut output,
        "effort",
        options.reasoning_effort.map(ReasoningEffort::name),
    );
    if !output.is_empty() {
        set_field(&mut body, "output_config", output);
    }
    set_field(&mut body, "tool_choice", tool_choice(draft));
    set_field(&mut body, "temperature", options.temperature);
    set_field(&mut body, "top_p", options.top_p);
    set_list(&mut body, "stop_sequences", &options.stop);
    let max_tokens = options.max_tokens;
    set_field(
        &mut body,
        "max_tokens",
        max_tokens.unwrap_or(default_max_tokens(draft.model)),
    );
    Ok(body)
}

/// The tool choice. It contains whether several calls are possible.
fn tool_choice(draft: &RequestDraft<'_>) -> Option<Value> {
    let options = draft.options;
    if draft.messages.tools().is_empty() {
        return None;
    }
    let mut choice = match &options.tool_choice {
        None if options.parallel_tool_calls.is_none() => return None,
        None | Some(ToolChoice::Auto) => json!({"type": "auto"}),
        Some(ToolChoice::Required) => json!({"type": "any"}),
        Some(ToolChoice::Tool(name)) => json!({"type": "tool", "name": name}),
        // Without calls, there are no parallel ones.
        _ => return Some(json!({"type": "none"})),
    };
    if let Some(parallel) = options.parallel_tool_calls {
        choice["disable_parallel_tool_use"] = (!parallel).into();
    }
    Some(choice)
}

/// The API requires a length, so the greatest one of the model is the default.
fn default_max_tokens(model: &str) -> u64 {
    let starts = |names: &[&str]| names.iter().any(|name| model.starts_with(name));
    if starts(&["claude-3-opus", "claude-3-haiku", "claude-3-sonnet"]) {
        4096
    } else if starts(&["claude-3-5"]) {
        8192
    } else if model == "claude-opus-4"
        || starts(&["claude-opus-4-0", "claude-opus-4-1", "claude-opus-4-2025"])
    {
        32_000
    } else {
        64_000
    }
}

/// Reads messages, and the events of a streamed one.
#[derive(Default)]
struct AnthropicReader {
    /// The reasoning block that is arriving.
    thinking: Option<Value>,
    /// The token counts of several events, in the order of [`COUNTS`].
    counts: [u64; COUNTS.len()],
}

const COUNTS: [&str; 5] = [
    "/input_tokens",
    "/output_tokens",
    "/cache_read_input_tokens",
    "/cache_creation_input_tokens",
    "/output_tokens_details/thinking_tokens",
];

impl AnswerReader for AnthropicReader {
    fn read_body(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        // An error may follow tokens that were counted.
        self.read_usage(&body["usage"], answer);
        CallError::check_body(body)?;
        match string_at(body, "/type").unwrap_or("message") {
            "message_start" => {
                self.read_usage(&body["message"]["usage"], answer);
                self.read_message(&body["message"], answer);
            }
            "message_delta" => read_finish(&body["delta"], answer),
            "message_stop" => answer.is_complete = true,
            "content_block_start" => {
                self.start_block(&body["content_block"], count_at(body, "/index"), answer);
            }
            "content_block_delta" => {
                self.read_delta(&body["delta"], count_at(body, "/index"), answer);
            }
            "content_block_stop" => self.end_thinking(answer),
            "message" => self.read_message(body, answer),
            // Keep-alives, and events of tools that the provider runs itself.
            _ => {}
        }
        Ok(())
    }
}

impl AnthropicReader {
    fn read_message(&mut self, message: &Value, answer: &mut ReceivedAnswer) {
        answer.has_message |= message["content"].is_array();
        if let Some(model) = string_at(message, "/model") {
            answer.model = Some(model.to_owned());
        }
        if let Some(id) = string_at(message, "/id") {
            answer.id = Some(id.to_owned());
        }
        // Compatible servers may send the whole message after its parts.
        let is_new = answer.text.is_empty() && answer.reasoning.is_empty();
        if is_new && answer.calls.is_empty() && answer.blocks.is_empty() {
            for block in list_at(message, "/content") {
                self.start_block(block, None, answer);
                self.end_thinking(answer);
            }
        }
        read_finish(message, answer);
    }

    fn start_block(&mut self, block: &Value, index: Option<u64>, answer: &mut ReceivedAnswer) {
        match string_at(block, "/type").unwrap_or_default() {
            "text" => answer.push_text(string_at(block, "/text").unwrap_or_default()),
            "thinking" => {
                answer.push_reasoning(string_at(block, "/thinking").unwrap_or_default());
                self.thinking = Some(block.clone());
            }
            "redacted_thinking" => answer.push_block(block.clone()),
            "tool_use" => {
                let input = match &block["input"] {
                    // In a stream the arguments follow.
                    Value::Object(input) if input.is_empty() && index.is_some() => String::new(),
                    Value::Null => String::new(),
                    // Compatible servers write the text of the arguments.
                    Value::String(input) => input.clone(),
                    input => input.to_string(),
                };
                let text = |key: &str| string_at(block, key).unwrap_or_default().to_owned();
                answer.push_call(PartialCall {
                    index,
                    call: ToolCall::new(text("/id"), text("/name"), input),
                    ..PartialCall::default()
                });
            }
            _ => {}
        }
    }

    fn read_delta(&mut self, delta: &Value, index: Option<u64>, answer: &mut ReceivedAnswer) {
        let text = |key: &str| string_at(delta, key).unwrap_or_default();
        let mut append = |key: &str, more: &str| {
            if let Some(Value::Object(block)) = &mut self.thinking {
                match block.get_mut(key) {
                    Some(Value::String(text)) => text.push_str(more),
                    _ => drop(block.insert(key.to_owned(), json!(more))),
                }
            }
        };
        match text("/type") {
            "text_delta" => answer.push_text(text("/text")),
            "thinking_delta" => {
                append("thinking", text("/thinking"));
                answer.push_reasoning(text("/thinking"));
            }
            "signature_delta" => {
                append("signature", text("/signature"));
                answer.add_bytes(text("/signature").len());
            }
            "input_json_delta" => {
                if let Some(call) = answer.calls.iter().rposition(|call| call.index == index) {
                    answer.push_arguments(call, text("/partial_json"));
                }
            }
            _ => {}
        }
    }

    fn end_thinking(&mut self, answer: &mut ReceivedAnswer) {
        if let Some(block) = self.thinking.take() {
            answer.push_block(block);
        }
    }

    fn read_usage(&mut self, usage: &Value, answer: &mut ReceivedAnswer) {
        for (name, tokens) in COUNTS.iter().zip(&mut self.counts) {
            *tokens = count_at(usage, name).unwrap_or(*tokens);
        }
        if usage.is_null() {
            return;
        }
        let [input, output, cached, written, reasoning] = self.counts;
        // The API does not count the tokens of its cache as input.
        let input = input.saturating_add(cached).saturating_add(written);
        let mut usage = Usage::new(input, output);
        usage.cached_input = cached;
        usage.cache_writes = written;
        usage.reasoning = reasoning;
        answer.usage = Some(usage);
    }
}

fn read_finish(message: &Value, answer: &mut ReceivedAnswer) {
    if let Some(reason) = string_at(message, "/stop_reason") {
        answer.finish = Some(FinishReason::from_name(reason));
    }
}
