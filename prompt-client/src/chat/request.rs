//! Conversion of requests to genai's types.

use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatRole, ContentPart, JsonSpec, MessageContent,
    ReasoningEffort, Tool, ToolCall, ToolResponse,
};
use prompt_core::{
    Media, MediaKind, MediaSource, Message, Messages, Options, Part, Request, Role, Structured,
};
use serde_json::{Value, json};

use super::ChatModel;
use super::provider::{Provider, ReasoningFormat, SchemaSupport};
use super::reasoning::{ReasoningCache, arguments, call_id};
use crate::error::{CallError, CallErrorKind};
use crate::schema::{closed, response_format, schema_name, without_metadata};

impl ChatModel {
    pub(super) fn chat_request(&self, messages: &Messages) -> Result<ChatRequest, CallError> {
        let format = match self.sends_reasoning {
            true => self.provider.reasoning,
            false => ReasoningFormat::Omitted,
        };
        let cache = &self.reasoning_cache;
        let chat = messages.iter().enumerate().map(|(index, message)| {
            let reasoning = cache.parts(index, messages, format)?;
            chat_message(message, reasoning, cache)
        });
        let request = ChatRequest::new(chat.collect::<Result<Vec<_>, _>>()?);
        let tools = messages.tools().iter();
        let tools: Vec<Tool> = tools.map(|tool| chat_tool(tool, self.provider)).collect();
        Ok(match tools.is_empty() {
            true => request,
            false => request.with_tools(tools),
        })
    }

    pub(super) fn chat_options(
        &self,
        request: &Request,
        options: &Options,
        structured: Option<&Structured>,
    ) -> ChatOptions {
        let max_tokens = options.max_tokens;
        let mut body = serde_json::Map::new();
        let mut genai = ChatOptions {
            temperature: options.temperature,
            max_tokens: max_tokens.map(|tokens| u32::try_from(tokens).unwrap_or(u32::MAX)),
            top_p: options.top_p,
            stop_sequences: options.stop.clone(),
            seed: options.seed,
            capture_usage: Some(true),
            capture_content: Some(true),
            capture_tool_calls: Some(true),
            capture_reasoning_content: Some(
                self.requests_reasoning || !self.provider.reasoning_on_request,
            ),
            capture_raw_body: Some(true),
            ..ChatOptions::default()
        };
        if self.provider.own_server {
            // genai reads `large-high` as the model `large` with high effort, and `a::b` as `b`. OpenAI's protocol cannot
            // express a budget as an effort, so that no effort is sent.
            genai.reasoning_effort = Some(ReasoningEffort::Budget(0));
            body.insert("model".to_owned(), json!(&*self.settings.model));
        }
        match (&request.schema, structured) {
            (Some(schema), Some(Structured::Native)) if self.provider.own_server => {
                // genai would make every field required, as OpenAI's own servers want it.
                let format = response_format(request, schema);
                body.insert("response_format".to_owned(), format);
            }
            (Some(whole), Some(Structured::Native)) => {
                let schema = match self.provider.schema {
                    SchemaSupport::Subset(subset) => subset.write(whole),
                    _ => None,
                };
                let schema = schema.unwrap_or_else(|| without_metadata(whole));
                let name = schema_name(request.info.name);
                genai.response_format = Some(JsonSpec::new(name, schema).into());
            }
            (Some(schema), Some(Structured::Field(field))) => {
                body.insert(field.clone().into_owned(), closed(schema));
            }
            _ => {}
        }
        body.extend(self.settings.fields.clone());
        genai.extra_body = (!body.is_empty()).then_some(Value::Object(body));
        genai
    }
}

fn unsupported(message: impl Into<String>) -> CallError {
    CallError::new(CallErrorKind::Setup, message)
}

fn chat_message(
    message: &Message,
    reasoning: Vec<ContentPart>,
    cache: &ReasoningCache,
) -> Result<ChatMessage, CallError> {
    let role = match message.role {
        Role::System => ChatRole::System,
        Role::User => ChatRole::User,
        Role::Assistant => ChatRole::Assistant,
        Role::Tool => {
            let id = message.tool_call_id.clone().unwrap_or_default();
            let response = ToolResponse {
                fn_name: message.name.clone(),
                ..ToolResponse::new(id, message.text())
            };
            return Ok(ChatMessage::from(response));
        }
        role => {
            let message = format!("chat models do not support the role `{role}`");
            return Err(unsupported(message));
        }
    };
    let mut parts = reasoning;
    for part in &message.parts {
        match (part, parts.last_mut()) {
            // Adjacent texts are joined: genai would put an empty line between them.
            (Part::Text(text), Some(ContentPart::Text(last))) => last.push_str(text.as_str()),
            (Part::Text(text), _) => parts.push(ContentPart::from_text(text.as_str())),
            (Part::Media(media), _) => parts.push(media_part(media)?),
            (_, _) => return Err(unsupported("a part of the message is of an unknown kind")),
        }
    }
    parts.extend(message.tool_calls.iter().map(|call| {
        ContentPart::ToolCall(ToolCall {
            thought_signatures: cache.signatures(call),
            call_id: call_id(call).to_owned(),
            fn_name: call.name.clone(),
            fn_arguments: arguments(call),
        })
    }));
    Ok(ChatMessage::new(role, MessageContent::from_parts(parts)))
}

fn media_part(media: &Media) -> Result<ContentPart, CallError> {
    let name = media.name().map(str::to_owned);
    match media.source() {
        MediaSource::Base64 { mime, data } => Ok(ContentPart::from_binary_base64(
            mime.to_string(),
            data.clone(),
            name,
        )),
        MediaSource::Url(url) => {
            // Providers require a type, which a URL does not have.
            let mime = match media.kind() {
                MediaKind::Image => "image/*",
                MediaKind::Audio => "audio/*",
                MediaKind::Video => "video/*",
                _ => {
                    return Err(unsupported(
                        "a file cannot be sent by its URL; send its bytes",
                    ));
                }
            };
            Ok(ContentPart::from_binary_url(mime, url.to_string(), name))
        }
        _ => Err(unsupported("the media has a source of an unknown kind")),
    }
}

fn chat_tool(tool: &prompt_core::Tool, provider: Provider) -> Tool {
    let mut genai = Tool::new(tool.name());
    // genai would write `null` for a missing value, which llama.cpp's server rejects.
    let fills_in = provider.openai;
    match tool.description() {
        Some(text) => genai = genai.with_description(text),
        None if fills_in => genai = genai.with_description(""),
        None => {}
    }
    match tool.parameters().and_then(|json| json.read().ok()) {
        Some(schema) => {
            // The other providers accept any schema for tools.
            let subset = match provider.schema {
                SchemaSupport::Subset(subset) if provider.is_gemini() => subset.write(&schema),
                _ => None,
            };
            genai = genai.with_schema(subset.unwrap_or(schema));
        }
        None if fills_in => {
            genai = genai.with_schema(json!({"type": "object", "properties": {}}));
        }
        None => {}
    }
    match serde_json::to_value(tool) {
        Ok(json) if json.pointer("/function/strict") == Some(&Value::Bool(true)) => {
            genai.with_strict(true)
        }
        _ => genai,
    }
}

#[cfg(test)]
mod tests {
    use prompt_core::Text;

    use super::*;

    fn request(messages: &[Message]) -> Result<ChatRequest, CallError> {
        let model = ChatModel::new("openai::gpt-4o").unwrap();
        model.chat_request(&Messages::from(messages.to_vec()))
    }

    fn sent(messages: &[Message]) -> Value {
        serde_json::to_value(request(messages).unwrap()).unwrap()
    }

    #[test]
    fn adjacent_texts_are_joined_without_a_separator() {
        let mut message = Message::user("one ");
        message.parts.push(Part::Text(Text::template("two")));
        assert_eq!(
            sent(&[message])["messages"][0]["content"],
            json!([{"Text": "one two"}])
        );
    }

    #[test]
    fn calls_and_results_keep_their_ids() {
        let call = prompt_core::ToolCall::new("c1", "add", r#"{"b":1,"a":2}"#);
        let json = sent(&[
            Message::calls([call]),
            Message::tool("c1", "3").with_name("add"),
        ]);
        assert_eq!(
            json["messages"][0]["content"][0]["ToolCall"]["call_id"],
            "c1"
        );
        assert_eq!(
            json["messages"][0]["content"][0]["ToolCall"]["fn_arguments"],
            json!({"b": 1, "a": 2})
        );
        let response = json!({"call_id": "c1", "fn_name": "add", "content": "3"});
        assert_eq!(json["messages"][1]["content"][0]["ToolResponse"], response);
    }

    #[test]
    fn files_by_url_are_rejected() {
        let message =
            Message::user("Read this.").with_media(Media::file_url("https://example.com/a.pdf"));
        let error = request(&[message]).unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Setup);
    }
}
