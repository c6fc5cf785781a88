//! Answers of chat models in OpenAI's protocol, read here and not by genai: it trims texts, writes the arguments of calls
//! anew, and passes over refusals, errors and calls that are written in another way than OpenAI's own.

use genai::ModelIden;
use genai::adapter::AdapterKind;
use genai::chat::{ContentPart, MessageContent, StopReason};
use prompt_core::{Finish, Reply, ToolCall, Usage};
use serde_json::Value;

use super::reply::finish;
use super::thoughts::{Thoughts, arguments, call_id};
use crate::failure::Failure;
use crate::fault;
use crate::openai::{choice, error, model, reason, usage};

/// Whether genai speaks OpenAI's protocol with this provider, and no other.
pub(super) fn speaks(kind: AdapterKind) -> bool {
    use AdapterKind as Kind;
    !matches!(
        kind,
        Kind::OpenAIResp
            | Kind::Anthropic
            | Kind::MiniMax
            | Kind::BedrockApi
            | Kind::Gemini
            | Kind::GeminiIx
            | Kind::Vertex
            | Kind::Cohere
            | Kind::Ollama
            | Kind::OllamaCloud
            | Kind::GithubCopilot
            | Kind::OpenCodeGo
            | Kind::Custom(_)
    )
}

/// The answer in a body. `to` is the model that was asked.
pub(super) fn read(body: &Value, to: &ModelIden, thoughts: &Thoughts) -> Result<Reply, Failure> {
    let message = choice(body).and_then(|choice| choice.get("message"));
    let Some(message) = message.filter(|message| message.is_object()) else {
        return Err(error(body).unwrap_or_else(|| wrong("holds no message", body)));
    };
    let said = Said::of(message).ok_or_else(|| wrong("holds a message that is no text", body))?;
    if let Some(failure) = error(body) {
        return Err(match said.text.is_empty() {
            true => failure,
            false => failure.with_answer(said.text),
        });
    }
    let mut reply = Reply::new(said.text);
    reply.reasoning = (!said.reasoning.is_empty()).then_some(said.reasoning);
    let calls = calls(message).map(|piece| piece.call);
    reply.tool_calls =
        named(calls).ok_or_else(|| wrong("holds a call that names no tool", body))?;
    let reason = choice(body).and_then(reason);
    reply.finish = ended(reason, said.refused);
    reply.usage = counted(usage(body), body, to.adapter_kind);
    reply.model = model(body).or_else(|| Some(to.model_name.to_string()));
    let details = message.get("reasoning_details").and_then(Value::as_array);
    let details = details
        .into_iter()
        .flatten()
        .filter(|part| part.is_object());
    let details = details.map(|part| ContentPart::from_custom(part.clone(), Some(to.clone())));
    remember(
        thoughts,
        details,
        &reply.tool_calls,
        reply.reasoning.as_deref(),
    );
    Ok(reply)
}

/// Keeps what the model thought before its turn, for when that goes back.
pub(super) fn remember(
    thoughts: &Thoughts,
    details: impl Iterator<Item = ContentPart>,
    calls: &[ToolCall],
    reasoning: Option<&str>,
) {
    let calls = calls.iter().map(|call| {
        ContentPart::ToolCall(genai::chat::ToolCall {
            call_id: call_id(call).to_owned(),
            fn_name: call.name.clone(),
            fn_arguments: arguments(call),
            thought_signatures: None,
        })
    });
    let turn = MessageContent::from_parts(details.chain(calls).collect::<Vec<_>>());
    thoughts.remember(&turn, reasoning);
}

/// Why an answer ended. A refusal ends like any other answer, and is none.
pub(super) fn ended(reason: Option<&str>, refused: bool) -> Option<Finish> {
    match refused {
        true => Some(Finish::Filter),
        false => reason.map(|reason| finish(StopReason::from(reason.to_owned()))),
    }
}

/// The tokens as they are paid for: xAI leaves those of the reasoning out of the answer's.
pub(super) fn counted(usage: Option<Usage>, body: &Value, kind: AdapterKind) -> Option<Usage> {
    let mut usage = usage?;
    let thought = body.pointer("/usage/completion_tokens_details/reasoning_tokens");
    if let (AdapterKind::Xai, Some(thought)) = (kind, thought.and_then(Value::as_u64)) {
        usage.output = usage.output.saturating_add(thought);
    }
    Some(usage)
}

fn wrong(what: &str, body: &Value) -> Failure {
    fault::quoting(format!("the server's answer {what}"), &body.to_string())
}

/// What a message says, or a piece of one.
#[derive(Default)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) reasoning: String,
    /// Whether the text ends with a refusal.
    pub(super) refused: bool,
}

impl Said {
    /// `None` when the content is there and is no text.
    pub(super) fn of(message: &Value) -> Option<Said> {
        let mut said = Said::default();
        let text = |key: &str| {
            message
                .get(key)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
        };
        let told = ["reasoning_content", "reasoning"]
            .into_iter()
            .find_map(text);
        said.reasoning.push_str(told.unwrap_or_default());
        match message.get("content") {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => said.text.push_str(text),
            Some(Value::Array(parts)) => {
                let unknown = parts
                    .iter()
                    .filter(|part| !said.part(part, told.is_some()))
                    .count();
                if unknown > 0 && unknown == parts.len() {
                    return None;
                }
            }
            Some(_) => return None,
        }
        if let Some(refusal) = text("refusal") {
            said.refuse(refusal);
        }
        Some(said)
    }

    /// Takes a part of a content that is a list; whether it is known.
    fn part(&mut self, part: &Value, has_reasoning: bool) -> bool {
        let text = |key: &str| part.get(key).and_then(Value::as_str);
        if let Some(refusal) = text("refusal") {
            self.refuse(refusal);
        } else if let Some(thought) = part.get("thinking") {
            if !has_reasoning {
                self.reasoning.push_str(&thinking(thought));
            }
        } else if let Some(text) = text("text").or_else(|| part.as_str()) {
            self.text.push_str(text);
        } else {
            return false;
        }
        true
    }

    fn refuse(&mut self, refusal: &str) {
        self.text.push_str(refusal);
        self.refused = true;
    }
}

/// Mistral's thoughts: a text, or a list of parts with texts.
fn thinking(thought: &Value) -> String {
    match thought {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect()
        }
        _ => String::new(),
    }
}

/// A call of a tool, or a piece of one.
struct Piece {
    /// The call's number in a stream.
    index: Option<u64>,
    call: ToolCall,
}

/// The calls of a message, or the pieces of them.
fn calls(message: &Value) -> impl Iterator<Item = Piece> {
    let several = match message.get("tool_calls") {
        Some(Value::Array(calls)) => &calls[..],
        Some(call @ Value::Object(_)) => std::slice::from_ref(call),
        _ => &[],
    };
    // What a call was before there could be several.
    let one = message
        .get("function_call")
        .filter(|call| call.is_object() && several.is_empty());
    several.iter().chain(one).map(|call| {
        let function = call.get("function").unwrap_or(call);
        Piece {
            index: call.get("index").and_then(Value::as_u64),
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

/// The calls; `None` when one names no tool.
fn named(calls: impl Iterator<Item = ToolCall>) -> Option<Vec<ToolCall>> {
    calls
        .map(|call| (!call.name.is_empty()).then_some(call))
        .collect()
}

/// The calls of a stream, as far as they have come.
#[derive(Default)]
pub(super) struct Calls(Vec<Piece>);

impl Calls {
    /// Takes the pieces of a message.
    pub(super) fn take(&mut self, message: &Value) {
        for piece in calls(message) {
            match self.begun(&piece) {
                Some(call) => {
                    let ToolCall {
                        id,
                        name,
                        arguments,
                    } = piece.call;
                    call.id = call.id.take().or(id);
                    if call.name.is_empty() {
                        call.name = name;
                    }
                    call.arguments.push_str(&arguments);
                }
                None => self.0.push(piece),
            }
        }
    }

    /// The call that a piece goes on with: the latest of its number. Servers that give each call whole may give all the
    /// same number, or none.
    fn begun(&mut self, piece: &Piece) -> Option<&mut ToolCall> {
        let Piece { index, call: new } = piece;
        let mut calls = self.0.iter_mut().rev();
        let begun = calls.find(|begun| index.is_none() || begun.index == *index)?;
        let begun = &mut begun.call;
        let is_another = match (&new.id, &begun.id) {
            _ if new.name.is_empty() => false,
            (Some(new), Some(begun)) => new != begun,
            _ if index.is_none() => true,
            (None, None) => !new.arguments.is_empty() && is_whole(&begun.arguments),
            _ => false,
        };
        (!is_another).then_some(begun)
    }

    /// All of them; `None` when one names no tool.
    pub(super) fn whole(self) -> Option<Vec<ToolCall>> {
        named(self.0.into_iter().map(|piece| piece.call))
    }
}

fn is_whole(arguments: &str) -> bool {
    prompt_core::Json::parse(arguments).is_ok()
}
