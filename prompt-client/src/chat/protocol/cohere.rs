//! Cohere's chat API, version 2.

use prompt_core::openai::answer::{MessageContent, calls, id};
use prompt_core::{FinishReason, ReasoningEffort, ToolChoice, Usage};
use serde_json::{Map, Value, json};

use super::Protocol;
use crate::answer::{AnswerReader, PartialCall, ReceivedAnswer};
use crate::chat::draft::RequestDraft;
use crate::error::CallError;
use crate::json_body::{count_at, prepend_parts, set_field, set_list, string_at, to_json};
use crate::schema::add_strictness;

/// Cohere's chat API.
#[derive(Debug)]
pub(in crate::chat) struct CohereChat;

impl Protocol for CohereChat {
    fn name(&self) -> &'static str {
        "Cohere"
    }

    fn path(&self, _: &str, _: bool) -> String {
        "chat".to_owned()
    }

    fn names_tool_results(&self) -> bool {
        false
    }

    fn request_body(&self, draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
        write_body(draft)
    }

    fn answer_reader(&self, _: &str) -> Box<dyn AnswerReader> {
        Box::<CohereReader>::default()
    }
}

fn write_body(draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
    let options = draft.options;
    let mut conversation = to_json(&draft.messages.openai())?;
    let messages = conversation["messages"].as_array_mut();
    messages.into_iter().flatten().for_each(convert_message);
    let mut body = Map::new();
    set_field(&mut body, "model", draft.model);
    set_field(&mut body, "stream", draft.stream);
    set_field(&mut body, "messages", conversation["messages"].take());
    if let Some(Value::Array(tools)) = conversation.get_mut("tools") {
        // The API has one field for all tools. Where one tool is strict, the others become strict as well.
        let strict = tools.iter_mut().filter_map(|tool| {
            let function = tool["function"].as_object_mut()?;
            function.shift_remove("strict")
        });
        let is_strict = strict.filter(|strict| *strict == Value::Bool(true)).count() > 0;
        set_field(&mut body, "strict_tools", is_strict.then_some(true));
        set_field(&mut body, "tools", tools);
        set_field(
            &mut body,
            "tool_choice",
            match options.tool_choice {
                Some(ToolChoice::Required) => Some("REQUIRED"),
                Some(ToolChoice::None) => Some("NONE"),
                _ => None,
            },
        );
    }
    if let Some((_, schema)) = &draft.schema {
        let format = json!({"type": "json_object", "json_schema": add_strictness(schema)});
        set_field(&mut body, "response_format", format);
    }
    let thinking = options.reasoning_effort.map(|effort| match effort {
        ReasoningEffort::None => json!({"type": "disabled"}),
        _ => json!({"type": "enabled"}),
    });
    set_field(&mut body, "thinking", thinking);
    set_field(&mut body, "temperature", options.temperature);
    set_field(&mut body, "p", options.top_p);
    set_field(&mut body, "max_tokens", options.max_tokens);
    set_field(&mut body, "seed", options.seed);
    set_list(&mut body, "stop_sequences", &options.stop);
    Ok(body)
}

/// Converts a message from OpenAI's protocol. Reasoning is a part of the content, and text beside tool calls is their plan.
fn convert_message(message: &mut Value) {
    let Value::Object(fields) = message else {
        return;
    };
    let reasoning = fields.shift_remove("reasoning_content");
    let has_calls = fields.contains_key("tool_calls");
    if fields["content"].is_null() {
        fields.shift_remove("content");
    } else if has_calls && let Some(plan) = fields.shift_remove("content") {
        fields.insert("tool_plan".to_owned(), plan);
    }
    if let Some(reasoning) = reasoning {
        prepend_parts(
            vec![json!({"type": "thinking", "thinking": reasoning})],
            message,
        );
    }
}

/// Reads answers, and the events of a streamed one.
#[derive(Default)]
struct CohereReader;

impl AnswerReader for CohereReader {
    fn read_body(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        read_usage(&body["usage"], answer);
        CallError::check_body(body)?;
        answer.id = id(body).or(answer.id.take());
        let delta = &body["delta"];
        match string_at(body, "/type") {
            None => {
                read_message(&body["message"], body, answer)?;
                read_end(body, answer)?;
            }
            Some("content-start" | "content-delta") => {
                let content = &delta["message"]["content"];
                answer.push_reasoning(string_at(content, "/thinking").unwrap_or_default());
                answer.push_text(string_at(content, "/text").unwrap_or_default());
            }
            Some("tool-plan-delta" | "tool-call-start") => {
                read_message(&delta["message"], body, answer)?;
            }
            Some("tool-call-delta") => {
                let arguments = "/message/tool_calls/function/arguments";
                let index = count_at(body, "/index");
                if let Some(call) = answer.calls.iter().rposition(|call| call.index == index) {
                    answer.push_arguments(call, string_at(delta, arguments).unwrap_or_default());
                }
            }
            Some("message-end") => {
                read_usage(&delta["usage"], answer);
                read_end(delta, answer)?;
                answer.has_message = true;
                answer.is_complete = true;
            }
            // The ends of parts, citations, and debug information.
            _ => {}
        }
        Ok(())
    }
}

/// Reads a message, or the beginning of a part of one.
fn read_message(
    message: &Value,
    body: &Value,
    answer: &mut ReceivedAnswer,
) -> Result<(), CallError> {
    if !message.is_object() {
        return Ok(());
    }
    let content = MessageContent::from_message(message).ok_or_else(|| {
        let problem = "the server's answer has a message that is not text";
        CallError::unexpected_body(problem, &body.to_string())
    })?;
    answer.push_reasoning(&content.reasoning);
    answer.push_text(string_at(message, "/tool_plan").unwrap_or_default());
    answer.push_text(&content.text);
    for piece in calls(message) {
        answer.push_call(PartialCall {
            index: count_at(body, "/index"),
            call: piece.call,
            ..PartialCall::default()
        });
    }
    answer.has_message = true;
    Ok(())
}

fn read_usage(usage: &Value, answer: &mut ReceivedAnswer) {
    // The tokens that the model received; billed units omit those of the chat template.
    let counts = ["tokens", "billed_units"].map(|name| &usage[name]);
    if let Some(counts) = counts.into_iter().find(|counts| counts.is_object()) {
        let tokens = |counts: &Value, name| count_at(counts, name).unwrap_or_default();
        let mut read = Usage::new(
            tokens(counts, "/input_tokens"),
            tokens(counts, "/output_tokens"),
        );
        read.cached_input = tokens(usage, "/cached_tokens");
        answer.usage = Some(read);
    }
}

/// Reads the token counts and why the answer ended.
fn read_end(fields: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
    match string_at(fields, "/finish_reason") {
        Some(reason @ ("ERROR" | "TIMEOUT")) => {
            let reason = string_at(fields, "/error").unwrap_or(reason);
            Err(CallError::from_error_object(&json!({"message": reason})))
        }
        Some(reason) => {
            answer.finish = Some(FinishReason::from_name(reason));
            Ok(())
        }
        None => Ok(()),
    }
}
