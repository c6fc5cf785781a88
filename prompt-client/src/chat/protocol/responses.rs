//! OpenAI's Responses API.

use prompt_core::openai::RequestOptions;
use prompt_core::openai::answer::{id, log_probs, model, usage};
use prompt_core::{FinishReason, Media, MediaKind, MediaSource, Message, Part, Role, ToolCall};
use prompt_core::{ReasoningEffort, ToolChoice};
use serde_json::{Map, Value, json};

use super::Protocol;
use super::openai_cache::{INPUT_TEXT, write_prompt_cache};
use crate::answer::{AnswerReader, PartialCall, ReceivedAnswer};
use crate::chat::draft::RequestDraft;
use crate::error::CallError;
use crate::json_body::{
    function_definition, list_at, message_text, set_field, set_list, set_options, string_at,
};
use crate::schema::add_strictness;

/// OpenAI's Responses API.
#[derive(Debug)]
pub(in crate::chat) struct Responses;

impl Protocol for Responses {
    fn name(&self) -> &'static str {
        "Responses"
    }

    fn path(&self, _: &str, _: bool) -> String {
        "responses".to_owned()
    }

    fn request_body(&self, draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
        write_body(draft)
    }

    fn answer_reader(&self, _: &str) -> Box<dyn AnswerReader> {
        Box::<ResponsesReader>::default()
    }
}

fn write_body(draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
    let (mut input, mut ends) = (Vec::new(), Vec::new());
    for (message, blocks) in draft.messages.iter().zip(&draft.blocks) {
        input.extend(blocks.iter().cloned());
        input.extend(message_items(message));
        ends.push(input.len().saturating_sub(1));
    }
    let mut tools = Vec::new();
    for tool in draft.messages.tools() {
        let mut written = Map::from_iter([("type".to_owned(), json!("function"))]);
        // Functions are strict by default, which not every schema allows.
        written.insert("strict".to_owned(), json!(false));
        written.extend(function_definition(tool)?);
        tools.push(written);
    }
    let mut body = Map::new();
    write_prompt_cache(&mut body, &mut input, &ends, draft, INPUT_TEXT)?;
    // Conversations are not stored: each request contains its whole conversation.
    set_field(&mut body, "store", false);
    set_field(&mut body, "model", draft.model);
    set_field(&mut body, "stream", draft.stream);
    let options = draft.options;
    let (mut reasoning, mut include) = (Map::new(), Vec::new());
    if draft.requests_reasoning {
        set_field(&mut reasoning, "summary", "detailed");
        include.push("reasoning.encrypted_content");
    }
    set_field(
        &mut reasoning,
        "effort",
        options.reasoning_effort.map(ReasoningEffort::name),
    );
    if let Some(alternatives) = options.log_probs {
        include.push("message.output_text.logprobs");
        set_field(&mut body, "top_logprobs", alternatives);
    }
    if !reasoning.is_empty() {
        set_field(&mut body, "reasoning", reasoning);
    }
    set_list(&mut body, "include", &include);
    match &options.tool_choice {
        Some(ToolChoice::Tool(name)) => {
            set_field(
                &mut body,
                "tool_choice",
                json!({"type": "function", "name": name}),
            );
        }
        choice => set_field(&mut body, "tool_choice", choice),
    }
    set_field(
        &mut body,
        "parallel_tool_calls",
        options.parallel_tool_calls,
    );
    set_list(&mut body, "tools", &tools);
    set_field(&mut body, "input", input);
    if let Some((name, schema)) = &draft.schema {
        let schema = add_strictness(schema);
        let format = json!({"type": "json_schema", "name": name, "strict": true, "schema": schema});
        set_field(&mut body, "text", json!({"format": format}));
    }
    let options = RequestOptions {
        options,
        max_tokens: "max_output_tokens",
        seed: None,
        is_chat: false,
    };
    set_options(&mut body, options);
    Ok(body)
}

/// The items of a message.
fn message_items(message: &Message) -> Vec<Value> {
    if message.role == Role::Tool {
        return vec![json!({
            "type": "function_call_output", "call_id": message.tool_call_id, "output": message_content(message),
        })];
    }
    let mut items = Vec::new();
    if !message.parts.is_empty() || message.tool_calls.is_empty() {
        items.push(json!({"role": message.role.name(), "content": message_content(message)}));
    }
    items.extend(message.tool_calls.iter().map(|call| {
        json!({"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments})
    }));
    items
}

fn message_content(message: &Message) -> Value {
    if message.is_text() {
        return message_text(message).into();
    }
    let parts = message.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(json!({"type": INPUT_TEXT, "text": text.as_str()})),
        Part::Media(media) => Some(media_part(media)),
        _ => None,
    });
    parts.collect()
}

fn media_part(media: &Media) -> Value {
    let url = media.to_url();
    match (media.kind(), media.source()) {
        (MediaKind::Image, _) => json!({"type": "input_image", "detail": "auto", "image_url": url}),
        (_, MediaSource::Url(_)) => json!({"type": "input_file", "file_url": url}),
        _ => {
            let name = media.name().unwrap_or("file");
            json!({"type": "input_file", "filename": name, "file_data": url})
        }
    }
}

/// Reads responses, and the events of a streamed one.
#[derive(Default)]
struct ResponsesReader {
    refused: bool,
    /// Whether the text of the message arrives in deltas.
    has_deltas: bool,
    has_reasoning_deltas: bool,
    /// Whether the items arrive before the whole response.
    has_items: bool,
}

impl AnswerReader for ResponsesReader {
    fn read_body(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        let delta = || string_at(body, "/delta").unwrap_or_default();
        match string_at(body, "/type").unwrap_or_default() {
            kind @ ("response.output_text.delta" | "response.refusal.delta") => {
                self.refused |= kind == "response.refusal.delta";
                self.has_deltas = true;
                answer.push_log_probs(log_probs(&body["logprobs"]));
                answer.push_text(delta());
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.has_reasoning_deltas = true;
                answer.push_reasoning(delta());
            }
            "response.reasoning_summary_part.added" if !answer.reasoning.is_empty() => {
                answer.push_reasoning(PARAGRAPH);
            }
            "response.output_item.done" => self.read_item(&body["item"], answer),
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.read_response(&body["response"], answer)?;
                answer.is_complete = true;
            }
            "error" => return Err(CallError::from_error_object(body)),
            "" => self.read_response(body, answer)?,
            // Other events announce parts whose content follows.
            _ => {}
        }
        Ok(())
    }
}

/// Separates the parts of a summary.
const PARAGRAPH: &str = "\n\n";

impl ResponsesReader {
    /// Reads a whole response. Its items are skipped if they have been streamed.
    fn read_response(
        &mut self,
        response: &Value,
        answer: &mut ReceivedAnswer,
    ) -> Result<(), CallError> {
        answer.usage = usage(response).or(answer.usage.take());
        CallError::check_body(response)?;
        if !self.has_items {
            for item in list_at(response, "/output") {
                self.read_item(item, answer);
            }
        }
        answer.model = model(response).or(answer.model.take());
        answer.id = id(response).or(answer.id.take());
        let status = string_at(response, "/status");
        answer.has_message |= status.is_some();
        answer.finish = match (status, string_at(response, "/incomplete_details/reason")) {
            _ if self.refused => Some(FinishReason::ContentFilter),
            (Some("completed"), _) if !answer.calls.is_empty() => Some(FinishReason::ToolCalls),
            (Some("completed"), _) => Some(FinishReason::Stop),
            (_, Some("max_output_tokens")) => Some(FinishReason::Length),
            (_, Some(reason)) => Some(FinishReason::from_name(reason)),
            (Some(status @ ("failed" | "cancelled")), None) => {
                let message = format!("the response has the status `{status}`");
                return Err(CallError::protocol_error(message));
            }
            (status, None) => status.map(FinishReason::from_name),
        };
        Ok(())
    }

    /// Reads an item of the output.
    fn read_item(&mut self, item: &Value, answer: &mut ReceivedAnswer) {
        self.has_items = true;
        let field = |key: &str| string_at(item, key).unwrap_or_default();
        match field("/type") {
            "message" if !self.has_deltas => {
                for part in list_at(item, "/content") {
                    if let Some(refusal) = string_at(part, "/refusal") {
                        self.refused = true;
                        answer.push_text(refusal);
                    }
                    answer.push_log_probs(log_probs(&part["logprobs"]));
                    answer.push_text(string_at(part, "/text").unwrap_or_default());
                }
            }
            "reasoning" => {
                let parts = [list_at(item, "/summary"), list_at(item, "/content")].concat();
                for part in parts.iter().filter(|_| !self.has_reasoning_deltas) {
                    if !answer.reasoning.is_empty() {
                        answer.push_reasoning(PARAGRAPH);
                    }
                    answer.push_reasoning(string_at(part, "/text").unwrap_or_default());
                }
                if let Some(sealed) = item
                    .get("encrypted_content")
                    .filter(|sealed| !sealed.is_null())
                {
                    answer.push_block(
                        json!({"type": "reasoning", "encrypted_content": sealed, "summary": []}),
                    );
                }
            }
            "function_call" => answer.push_call(PartialCall {
                call: ToolCall::new(field("/call_id"), field("/name"), field("/arguments")),
                ..PartialCall::default()
            }),
            _ => {}
        }
    }
}
