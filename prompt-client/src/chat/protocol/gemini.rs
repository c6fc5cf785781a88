//! Gemini's `generateContent`.

use prompt_core::{FinishReason, Media, MediaSource, Message, Part, Role, ToolCall, Usage};
use prompt_core::{PromptCache, TokenLogProb, ToolChoice};
use serde_json::{Map, Value, json};

use super::Protocol;
use crate::answer::{AnswerReader, PartialCall, ReceivedAnswer};
use crate::chat::draft::RequestDraft;
use crate::error::{CallError, CallErrorKind};
use crate::http::KeyHeader;
use crate::json_body::{
    count_at, function_definition, list_at, message_text, parse_arguments, set_field, set_list,
    string_at,
};

/// Gemini's `generateContent`.
#[derive(Debug)]
pub(in crate::chat) struct GenerateContent;

impl Protocol for GenerateContent {
    fn name(&self) -> &'static str {
        "Gemini"
    }

    fn path(&self, model: &str, stream: bool) -> String {
        let method = if stream {
            "streamGenerateContent"
        } else {
            "generateContent"
        };
        format!("models/{model}:{method}")
    }

    fn query(&self, stream: bool) -> Option<(&'static str, &'static str)> {
        stream.then_some(("alt", "sse"))
    }

    fn key_header(&self) -> KeyHeader {
        KeyHeader::Header("x-goog-api-key")
    }

    fn request_body(&self, draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
        write_body(draft)
    }

    fn stored_prompt_body(
        &self,
        draft: &RequestDraft<'_>,
        seconds: u64,
    ) -> Option<Result<Map<String, Value>, CallError>> {
        let body = write_conversation(draft, 0).map(|mut body| {
            set_field(&mut body, "model", format!("models/{}", draft.model));
            set_field(&mut body, "ttl", format!("{seconds}s"));
            body
        });
        Some(body)
    }

    fn answer_reader(&self, _: &str) -> Box<dyn AnswerReader> {
        Box::<GeminiReader>::default()
    }
}

/// The system message, the tools, and the messages after a number of them, which the provider keeps with the tools under a name.
fn write_conversation(
    draft: &RequestDraft<'_>,
    stored: usize,
) -> Result<Map<String, Value>, CallError> {
    let (mut system, mut contents) = (Vec::new(), Vec::<Value>::new());
    let mut after_result = false;
    for (index, message) in draft.messages.iter().enumerate().skip(stored) {
        let is_result = message.role == Role::Tool;
        match message.role {
            Role::System => system.push(message_text(message)),
            // All results of a turn are in one message.
            Role::Tool if after_result => {
                if let Some(Value::Array(parts)) =
                    contents.last_mut().and_then(|last| last.get_mut("parts"))
                {
                    parts.push(tool_result(message));
                }
            }
            Role::Tool => contents.push(json!({"role": "user", "parts": [tool_result(message)]})),
            Role::Assistant => {
                let parts = model_parts(draft, index, message)?;
                contents.push(json!({"role": "model", "parts": parts}));
            }
            _ => {
                let parts: Vec<Value> = message.parts.iter().filter_map(message_part).collect();
                contents.push(json!({"role": "user", "parts": parts}));
            }
        }
        after_result = is_result;
    }
    let mut body = Map::new();
    if !system.is_empty() {
        let text = system.join("\n\n");
        set_field(
            &mut body,
            "systemInstruction",
            json!({"parts": [{"text": text}]}),
        );
    }
    if stored == 0 && !draft.messages.tools().is_empty() {
        let functions = draft
            .messages
            .tools()
            .iter()
            .map(|tool| function_declaration(draft, tool));
        let functions = functions.collect::<Result<Vec<_>, _>>()?;
        set_field(
            &mut body,
            "tools",
            json!([{"functionDeclarations": functions}]),
        );
    }
    set_list(&mut body, "contents", &contents);
    Ok(body)
}

fn write_body(draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
    let options = draft.options;
    let mut body = match &options.prompt_cache {
        Some(PromptCache::Stored(stored)) => {
            let mut body = write_conversation(draft, stored.message_count())?;
            if !body.contains_key("contents") || body.contains_key("systemInstruction") {
                let name = stored.name();
                let message = format!(
                    "only messages of the user, the assistant and tools can follow the stored prompt `{name}`, and one has to"
                );
                return Err(CallError::new(CallErrorKind::Setup, message));
            }
            set_field(&mut body, "cachedContent", stored.name());
            body
        }
        _ => write_conversation(draft, 0)?,
    };
    let mut config = Map::new();
    let mut thinking = Map::new();
    if draft.requests_reasoning {
        set_field(&mut thinking, "includeThoughts", true);
    }
    let level = options
        .reasoning_effort
        .map(|effort| effort.name().to_uppercase());
    set_field(&mut thinking, "thinkingLevel", level);
    if !thinking.is_empty() {
        set_field(&mut config, "thinkingConfig", thinking);
    }
    if let Some(alternatives) = options.log_probs {
        set_field(&mut config, "responseLogprobs", true);
        set_field(
            &mut config,
            "logprobs",
            (alternatives > 0).then_some(alternatives),
        );
    }
    if let Some(choice) = &options.tool_choice {
        let mode = match choice {
            ToolChoice::None => "NONE",
            ToolChoice::Required | ToolChoice::Tool(_) => "ANY",
            _ => "AUTO",
        };
        let mut calling = json!({"mode": mode});
        if let ToolChoice::Tool(name) = choice {
            calling["allowedFunctionNames"] = json!([name]);
        }
        set_field(
            &mut body,
            "toolConfig",
            json!({"functionCallingConfig": calling}),
        );
    }
    set_field(&mut config, "temperature", options.temperature);
    if let Some((_, schema)) = &draft.schema {
        set_field(&mut config, "responseMimeType", "application/json");
        set_field(&mut config, "responseJsonSchema", schema);
    }
    set_list(&mut config, "stopSequences", &options.stop);
    set_field(&mut config, "maxOutputTokens", options.max_tokens);
    set_field(&mut config, "topP", options.top_p);
    set_field(&mut config, "seed", options.seed);
    if !config.is_empty() {
        set_field(&mut body, "generationConfig", config);
    }
    Ok(body)
}

fn message_part(part: &Part) -> Option<Value> {
    match part {
        Part::Text(text) => Some(json!({"text": text.as_str()})),
        Part::Media(media) => Some(media_part(media)),
        _ => None,
    }
}

fn media_part(media: &Media) -> Value {
    match media.source() {
        MediaSource::Base64 { mime, data } => {
            json!({"inlineData": {"mimeType": &**mime, "data": &**data}})
        }
        _ => json!({"fileData": {"fileUri": media.to_url()}}),
    }
}

/// The parts of an assistant's turn, with the signatures that they came with.
fn model_parts(
    draft: &RequestDraft<'_>,
    index: usize,
    message: &Message,
) -> Result<Vec<Value>, CallError> {
    let mut parts: Vec<Value> = message.parts.iter().filter_map(message_part).collect();
    // The signature of a text.
    if let (Some(part), Some(signature)) = (parts.first_mut(), draft.blocks[index].last()) {
        part["thoughtSignature"] = signature.clone();
    }
    let signatures = &draft.signatures[index];
    let is_signed = signatures.iter().any(Option::is_some);
    for (number, call) in message.tool_calls.iter().enumerate() {
        let args = parse_arguments(index, call)?;
        let mut part = json!({"functionCall": {"id": call.id, "name": call.name, "args": args}});
        let signature = signatures.get(number).cloned().flatten();
        // Gemini 3 requires a signature for the first call of a turn, and accepts this one for calls of other models.
        let is_foreign = number == 0 && !is_signed && draft.model.contains("gemini-3");
        let placeholder = is_foreign.then(|| "skip_thought_signature_validator".to_owned());
        if let Some(signature) = signature.or(placeholder) {
            part["thoughtSignature"] = signature.into();
        }
        parts.push(part);
    }
    Ok(parts)
}

fn tool_result(message: &Message) -> Value {
    let name = message.name.as_deref().unwrap_or_default();
    let response = json!({"name": name, "content": message_text(message)});
    let mut result = json!({"name": name, "response": response, "id": message.tool_call_id});
    let media = message
        .parts
        .iter()
        .filter(|part| matches!(part, Part::Media(_)));
    let media: Vec<Value> = media.filter_map(message_part).collect();
    if !media.is_empty() {
        result["parts"] = media.into();
    }
    json!({"functionResponse": result})
}

fn function_declaration(
    draft: &RequestDraft<'_>,
    tool: &prompt_core::Tool,
) -> Result<Map<String, Value>, CallError> {
    let mut written = function_definition(tool)?;
    // Functions are not strict or not: the field is OpenAI's.
    written.retain(|key, _| key != "strict");
    if let Some(schema) = written.shift_remove("parameters") {
        let narrowed = draft.schema_support.narrow_schema(&schema);
        let schema = narrowed.map_or(schema, |narrowed| narrowed.schema);
        written.insert("parametersJsonSchema".to_owned(), schema);
    }
    Ok(written)
}

/// Reads responses. A chunk of a stream is a response with a part of the answer.
#[derive(Default)]
struct GeminiReader;

impl AnswerReader for GeminiReader {
    fn read_body(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        answer.usage = parse_usage(body).or(answer.usage.take());
        CallError::check_body(body)?;
        if let Some(reason) = string_at(body, "/promptFeedback/blockReason") {
            let message = format!("the provider blocked the prompt: {reason}");
            return Err(CallError::new(CallErrorKind::Refused, message));
        }
        if let Some(id) = string_at(body, "/responseId") {
            answer.id = Some(id.to_owned());
        }
        if let Some(model) = string_at(body, "/modelVersion") {
            answer.model = Some(model.to_owned());
        }
        let Some(candidate) = answer.choose(list_at(body, "/candidates")) else {
            return Ok(());
        };
        answer.has_message = true;
        answer.push_log_probs(log_probs(candidate));
        for part in list_at(candidate, "/content/parts") {
            read_part(part, answer)?;
        }
        if let Some(reason) = string_at(candidate, "/finishReason") {
            answer.set_finish_reason(FinishReason::from_name(reason));
        }
        Ok(())
    }
}

fn read_part(part: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
    let signature = part
        .get("thoughtSignature")
        .filter(|signature| signature.is_string());
    let text = string_at(part, "/text").unwrap_or_default();
    if let Some(call) = part.get("functionCall") {
        let args = call.get("args").filter(|args| !args.is_null());
        answer.push_call(PartialCall {
            index: None,
            call: ToolCall {
                id: string_at(call, "/id").map(str::to_owned),
                name: string_at(call, "/name").unwrap_or_default().to_owned(),
                arguments: args.map_or_else(|| "{}".to_owned(), Value::to_string),
            },
            signature: signature.and_then(Value::as_str).map(str::to_owned),
            ..PartialCall::default()
        });
        return Ok(());
    }
    if part.get("inlineData").is_some() {
        let message = "the answer contains media, which a reply cannot contain";
        return Err(CallError::protocol_error(message));
    }
    match part.get("thought") == Some(&Value::Bool(true)) {
        true => answer.push_reasoning(text),
        false => {
            answer.push_text(text);
            signature
                .into_iter()
                .for_each(|signature| answer.push_block(signature.clone()));
        }
    }
    Ok(())
}

fn log_probs(candidate: &Value) -> Vec<TokenLogProb> {
    let pair = |token: &Value| {
        let text = string_at(token, "/token")?.to_owned();
        Some((text, token.get("logProbability")?.as_f64()?))
    };
    let top = list_at(candidate, "/logprobsResult/topCandidates");
    let chosen = list_at(candidate, "/logprobsResult/chosenCandidates").iter();
    chosen
        .enumerate()
        .filter_map(|(index, token)| {
            let (text, log_prob) = pair(token)?;
            let top = top
                .get(index)
                .map_or(&[][..], |top| list_at(top, "/candidates"));
            Some(TokenLogProb::new(text, log_prob).with_top(top.iter().filter_map(pair)))
        })
        .collect()
}

/// The token counts. The API counts neither the prompts of its own tools as input, nor reasoning as output.
fn parse_usage(body: &Value) -> Option<Usage> {
    let usage = body
        .get("usageMetadata")
        .filter(|usage| usage.is_object())?;
    let count = |pointer| count_at(usage, pointer).unwrap_or_default();
    let reasoning = count("/thoughtsTokenCount");
    let mut total = Usage::new(
        count("/promptTokenCount").saturating_add(count("/toolUsePromptTokenCount")),
        count("/candidatesTokenCount").saturating_add(reasoning),
    );
    total.cached_input = count("/cachedContentTokenCount");
    total.reasoning = reasoning;
    Some(total)
}
