//! OpenAI's chat completions, which most providers and servers implement.

use prompt_core::FinishReason;
use prompt_core::openai::RequestOptions;
use prompt_core::openai::answer::{
    MessageContent, ToolCallDelta, calls, choice_log_probs, id, model, reason, usage,
};
use serde_json::{Map, Value, json};

use super::Protocol;
use super::openai_cache::write_prompt_cache;
use crate::answer::{AnswerReader, PartialCall, ReceivedAnswer};
use crate::chat::draft::RequestDraft;
use crate::chat::support::ReasoningFormat;
use crate::error::CallError;
use crate::json_body::{list_at, prepend_parts, set_field, set_options, to_json};
use crate::schema::add_strictness;

/// OpenAI's chat completions.
#[derive(Debug)]
pub(in crate::chat) struct ChatCompletions;

impl Protocol for ChatCompletions {
    fn name(&self) -> &'static str {
        "ChatCompletions"
    }

    fn path(&self, _: &str, _: bool) -> String {
        "chat/completions".to_owned()
    }

    fn names_tool_results(&self) -> bool {
        false
    }

    fn requires_tool_descriptions(&self) -> bool {
        true
    }

    fn request_body(&self, draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
        write_body(draft)
    }

    fn answer_reader(&self, provider: &str) -> Box<dyn AnswerReader> {
        Box::new(ChatReader {
            counts_reasoning_apart: provider == "xai",
            refused: false,
        })
    }
}

fn write_body(draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
    let mut conversation = to_json(&draft.messages.openai())?;
    if let Some(messages) = conversation["messages"].as_array_mut() {
        for (message, blocks) in messages.iter_mut().zip(&draft.blocks) {
            if draft.reasoning == ReasoningFormat::ContentPart {
                move_reasoning(message);
            }
            if draft.reasoning == ReasoningFormat::Field && !blocks.is_empty() {
                message["reasoning_details"] = json!(blocks);
            }
        }
    }
    let mut body = Map::new();
    set_field(&mut body, "model", draft.model);
    set_field(&mut body, "stream", draft.stream);
    if let Some(messages) = conversation["messages"].as_array_mut() {
        let ends: Vec<usize> = (0..messages.len()).collect();
        write_prompt_cache(&mut body, messages, &ends, draft, "text")?;
    }
    for name in ["tools", "messages"] {
        set_field(&mut body, name, conversation[name].take());
    }
    if let Some((name, schema)) = &draft.schema {
        let format = json!({"name": name, "strict": true, "schema": add_strictness(schema)});
        let format = json!({"type": "json_schema", "json_schema": format});
        set_field(&mut body, "response_format", format);
    }
    if draft.stream {
        set_field(&mut body, "stream_options", json!({"include_usage": true}));
    }
    let options = RequestOptions {
        options: draft.options,
        max_tokens: draft.max_tokens_field,
        seed: draft.seed_field,
        is_chat: true,
    };
    set_options(&mut body, options);
    Ok(body)
}

/// Moves the reasoning of a message into its content, as Mistral requires it.
fn move_reasoning(message: &mut Value) {
    let reasoning = message
        .as_object_mut()
        .and_then(|map| map.shift_remove("reasoning_content"));
    let Some(reasoning) = reasoning else {
        return;
    };
    let thinking = json!({"type": "thinking", "thinking": [{"type": "text", "text": reasoning}]});
    prepend_parts(vec![thinking], message);
}

/// Reads chat completions, and chunks of them.
struct ChatReader {
    /// xAI does not count reasoning tokens as output.
    counts_reasoning_apart: bool,
    refused: bool,
}

impl AnswerReader for ChatReader {
    fn read_body(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        if let Some(mut usage) = usage(body) {
            if self.counts_reasoning_apart {
                usage.output = usage.output.saturating_add(usage.reasoning);
            }
            answer.usage = Some(usage);
        }
        answer.model = model(body).or(answer.model.take());
        answer.id = id(body).or(answer.id.take());
        if let Some(choice) = answer.choose(list_at(body, "/choices")) {
            self.read_choice(choice, body, answer)?;
        }
        CallError::check_body(body)
    }
}

impl ChatReader {
    fn read_choice(
        &mut self,
        choice: &Value,
        body: &Value,
        answer: &mut ReceivedAnswer,
    ) -> Result<(), CallError> {
        answer.push_log_probs(choice_log_probs(choice));
        // Some servers send the whole message in one chunk, also after its parts.
        for key in ["delta", "message"] {
            if let Some(message) = choice.get(key).filter(|message| message.is_object()) {
                self.read_message(message, key == "delta", body, answer)?;
            }
        }
        if let Some(reason) = reason(choice) {
            answer.finish = Some(FinishReason::from_name(reason));
        }
        if self.refused {
            answer.finish = Some(FinishReason::ContentFilter);
        }
        Ok(())
    }
    fn read_message(
        &mut self,
        message: &Value,
        is_delta: bool,
        body: &Value,
        answer: &mut ReceivedAnswer,
    ) -> Result<(), CallError> {
        answer.has_message = true;
        let content = MessageContent::from_message(message).ok_or_else(|| {
            let problem = "the server's answer has a message that is not text";
            CallError::unexpected_body(problem, &body.to_string())
        })?;
        self.refused |= content.refused;
        if is_delta {
            answer.push_reasoning(&content.reasoning);
            answer.push_text(&content.text);
        } else {
            answer.push_whole_reasoning(&content.reasoning);
            answer.push_whole_text(&content.text);
        }
        if is_delta || answer.calls.is_empty() {
            calls(message).for_each(|call| push_tool_call(answer, call, is_delta));
        }
        if is_delta || answer.blocks.is_empty() {
            let details = list_at(message, "/reasoning_details").iter();
            details.for_each(|detail| push_detail(answer, detail, is_delta));
        }
        Ok(())
    }
}

/// Adds a reasoning detail. In a stream, the texts of a detail arrive in parts.
fn push_detail(answer: &mut ReceivedAnswer, detail: &Value, is_delta: bool) {
    let Value::Object(fields) = detail else {
        return;
    };
    let is_same = |block: &Value| {
        ["type", "index"]
            .iter()
            .all(|key| block[key] == detail[key])
    };
    let last = answer
        .blocks
        .last_mut()
        .filter(|block| is_delta && is_same(block));
    let Some(Value::Object(block)) = last else {
        answer.push_block(detail.clone());
        return;
    };
    for (name, value) in fields {
        match (block.get_mut(name), value) {
            (_, Value::Null) => {}
            (Some(Value::String(text)), Value::String(more))
                if ["text", "summary", "data"].contains(&&**name) =>
            {
                text.push_str(more);
            }
            _ => drop(block.insert(name.clone(), value.clone())),
        }
    }
    answer.add_bytes(detail.to_string().len());
}

/// Adds a tool call, or a part of one.
fn push_tool_call(answer: &mut ReceivedAnswer, delta: ToolCallDelta, is_delta: bool) {
    let continued = is_delta.then(|| continued_by(&answer.calls, &delta));
    let Some(position) = continued.flatten() else {
        answer.push_call(PartialCall {
            index: delta.index,
            call: delta.call,
            ..PartialCall::default()
        });
        return;
    };
    let call = &mut answer.calls[position].call;
    call.id = call.id.take().or(delta.call.id);
    // A name arrives in parts, or again with every delta.
    match delta.call.name.starts_with(&*call.name) {
        true => call.name = delta.call.name,
        false => call.name.push_str(&delta.call.name),
    }
    answer.push_arguments(position, &delta.call.arguments);
}

/// The call that a delta continues: the latest of its index. Servers that send each call whole may use the same index for
/// all of them, or none.
fn continued_by(calls: &[PartialCall], delta: &ToolCallDelta) -> Option<usize> {
    let ToolCallDelta { index, call: new } = delta;
    let is_candidate = |call: &PartialCall| index.is_none() || call.index == *index;
    let position = calls.iter().rposition(is_candidate)?;
    let last = &calls[position].call;
    let is_another = match (&new.id, &last.id) {
        _ if new.name.is_empty() => false,
        (Some(new), Some(last)) => new != last,
        _ if index.is_none() => true,
        (None, None) => {
            !new.arguments.is_empty() && prompt_core::Json::parse(&last.arguments).is_ok()
        }
        _ => false,
    };
    (!is_another).then_some(position)
}
