//! A request in genai's words.

use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatRole, ContentPart, JsonSpec, MessageContent,
    ReasoningEffort, Tool, ToolCall, ToolResponse,
};
use prompt_core::{
    Media, MediaKind, MediaSource, Message, Messages, Options, Part, Request, Role, Structured,
};
use serde_json::{Value, json};

use super::reasoning::Place;
use super::thoughts::{Thoughts, arguments, call_id};
use crate::failure::{Cause, Failure};
use crate::settings::Settings;
use crate::structured::{Subset, bare, closed, schema_name};

/// Whether genai passes a JSON Schema on to this provider, and the provider constrains its models by it.
pub(super) fn takes_schema(kind: AdapterKind) -> bool {
    use AdapterKind as Kind;
    subset(kind).is_some()
        || matches!(
            kind,
            Kind::Fireworks | Kind::Together | Kind::Mistral | Kind::Xai | Kind::Custom(_)
        )
}

/// What of JSON Schema the provider takes; `None` for all of it.
pub(super) fn subset(kind: AdapterKind) -> Option<Subset> {
    use AdapterKind as Kind;
    let (bounds, recursion) = match kind {
        Kind::OpenAI | Kind::OpenAIResp => (true, true),
        Kind::Gemini | Kind::GeminiIx => (true, false),
        // OpenRouter hands requests on to any of the others.
        Kind::Anthropic | Kind::Groq | Kind::OpenRouter => (false, false),
        _ => return None,
    };
    Some(Subset { bounds, recursion })
}

pub(super) fn is_gemini(kind: AdapterKind) -> bool {
    matches!(kind, AdapterKind::Gemini | AdapterKind::GeminiIx)
}

pub(super) fn request(
    messages: &Messages,
    thoughts: &Thoughts,
    place: Place,
    kind: AdapterKind,
) -> Result<ChatRequest, Failure> {
    let told = |(at, told)| message(told, place.parts(at, messages, thoughts)?, thoughts);
    let chat = messages.iter().enumerate().map(told);
    let chat = chat.collect::<Result<Vec<_>, _>>()?;
    let tools: Vec<Tool> = messages
        .tools()
        .iter()
        .map(|told| tool(told, kind))
        .collect();
    let request = ChatRequest::new(chat);
    Ok(if tools.is_empty() {
        request
    } else {
        request.with_tools(tools)
    })
}

/// The options of a request. On one's own server, a model's name is a name and no more.
pub(super) fn options(
    request: &Request,
    options: &Options,
    structured: Option<&Structured>,
    settings: &Settings,
    kind: AdapterKind,
    own_server: bool,
    asks_reasoning: bool,
) -> ChatOptions {
    let mut body = serde_json::Map::new();
    let mut genai = ChatOptions {
        temperature: options.temperature,
        max_tokens: options
            .max_tokens
            .map(|tokens| u32::try_from(tokens).unwrap_or(u32::MAX)),
        top_p: options.top_p,
        stop_sequences: options.stop.clone(),
        seed: options.seed,
        capture_usage: Some(true),
        capture_content: Some(true),
        capture_tool_calls: Some(true),
        capture_reasoning_content: Some(asks_reasoning || !Place::is_asked_for(kind)),
        capture_raw_body: Some(true),
        ..ChatOptions::default()
    };
    if own_server {
        // genai reads `large-high` as the model `large` with much effort, and `a::b` as `b`. A budget is no effort that
        // OpenAI's protocol can express, so that nothing is sent for it.
        genai.reasoning_effort = Some(ReasoningEffort::Budget(0));
        body.insert("model".to_owned(), json!(&*settings.model));
    }
    match (&request.schema, structured) {
        (Some(schema), Some(Structured::Native)) if own_server => {
            // Not by genai, which would make every field required, as OpenAI's own servers want it.
            let format = json!({"name": schema_name(request.info.name), "schema": closed(schema)});
            body.insert(
                "response_format".to_owned(),
                json!({"type": "json_schema", "json_schema": format}),
            );
        }
        (Some(whole), Some(Structured::Native)) => {
            let schema = subset(kind).and_then(|subset| subset.write(whole));
            let schema = schema.unwrap_or_else(|| bare(whole));
            let name = schema_name(request.info.name);
            genai.response_format = Some(JsonSpec::new(name, schema).into());
        }
        (Some(schema), Some(Structured::Field(field))) => {
            body.insert(field.clone().into_owned(), closed(schema));
        }
        _ => {}
    }
    body.extend(settings.fields.clone());
    genai.extra_body = (!body.is_empty()).then_some(Value::Object(body));
    genai
}

fn message(
    message: &Message,
    thought: Vec<ContentPart>,
    thoughts: &Thoughts,
) -> Result<ChatMessage, Failure> {
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
            return Err(Failure::new(
                Cause::Setup,
                format!("no chat model knows the role `{role}`"),
            ));
        }
    };
    let mut parts = thought;
    for part in &message.parts {
        match (part, parts.last_mut()) {
            // Several texts are one: genai would put an empty line between them.
            (Part::Text(text), Some(ContentPart::Text(last))) => last.push_str(text.as_str()),
            (Part::Text(text), _) => parts.push(ContentPart::from_text(text.as_str())),
            (Part::Media(media), _) => parts.push(self::media(media)?),
            (_, _) => {
                return Err(Failure::new(
                    Cause::Setup,
                    "a part of the message is of an unknown kind",
                ));
            }
        }
    }
    parts.extend(message.tool_calls.iter().map(|call| {
        ContentPart::ToolCall(ToolCall {
            thought_signatures: thoughts.signatures(call),
            call_id: call_id(call).to_owned(),
            fn_name: call.name.clone(),
            fn_arguments: arguments(call),
        })
    }));
    Ok(ChatMessage::new(role, MessageContent::from_parts(parts)))
}

fn media(media: &Media) -> Result<ContentPart, Failure> {
    let name = media.name().map(str::to_owned);
    match media.source() {
        MediaSource::Base64 { mime, data } => Ok(ContentPart::from_binary_base64(
            mime.to_string(),
            data.clone(),
            name,
        )),
        MediaSource::Url(url) => {
            // Providers go by the type, and an address alone does not tell it.
            let mime = match media.kind() {
                MediaKind::Image => "image/*",
                MediaKind::Audio => "audio/*",
                MediaKind::Video => "video/*",
                _ => {
                    return Err(Failure::new(
                        Cause::Setup,
                        "a file is sent by its bytes, not by its address",
                    ));
                }
            };
            Ok(ContentPart::from_binary_url(mime, url.to_string(), name))
        }
        _ => Err(Failure::new(
            Cause::Setup,
            "the media has a source of an unknown kind",
        )),
    }
}

fn tool(tool: &prompt_core::Tool, kind: AdapterKind) -> Tool {
    let mut genai = Tool::new(tool.name());
    // genai would write `null` for what is not said, which llama.cpp's server refuses.
    let is_told = super::openai::speaks(kind);
    match tool.description() {
        Some(text) => genai = genai.with_description(text),
        None if is_told => genai = genai.with_description(""),
        None => {}
    }
    match tool.parameters().and_then(|json| json.read().ok()) {
        Some(schema) => {
            // The others take any schema for what a model is not held to.
            let within = is_gemini(kind).then(|| subset(kind)?.write(&schema));
            genai = genai.with_schema(within.flatten().unwrap_or(schema));
        }
        None if is_told => {
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

    fn sent(messages: &[Message]) -> Value {
        let messages = Messages::from(messages.to_vec());
        let thoughts = Thoughts::default();
        let kind = AdapterKind::OpenAI;
        serde_json::to_value(request(&messages, &thoughts, Place::Blocks, kind).unwrap()).unwrap()
    }

    #[test]
    fn texts_are_joined_without_anything_between() {
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
    fn a_file_by_its_address_is_refused() {
        let message =
            Message::user("Read this.").with_media(Media::file_url("https://example.com/a.pdf"));
        assert_eq!(
            request(
                &[message].into(),
                &Thoughts::default(),
                Place::Blocks,
                AdapterKind::OpenAI
            )
            .unwrap_err()
            .cause(),
            Cause::Setup
        );
    }
}
