//! Answers of chat models in OpenAI's protocol, read here and not by genai: it trims texts, writes the arguments of calls
//! anew, and passes over refusals, errors and calls that are written in another way than OpenAI's own.

use genai::ModelIden;
use genai::adapter::AdapterKind;
use genai::chat::{ContentPart, MessageContent, StopReason};
use prompt_core::openai::answer::{Piece, Said, calls, message, named};
use prompt_core::{Finish, Reply, ToolCall, Usage};
use serde_json::Value;

use super::reply::finish;
use super::thoughts::{Thoughts, arguments, call_id};
use crate::failure::Failure;
use crate::fault;
use crate::openai::{choice, error, reason};

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
    if let Some(failure) = error(body) {
        let said = message(body).and_then(Said::of).unwrap_or_default();
        return Err(match said.text.is_empty() {
            true => failure,
            false => failure.with_answer(said.text),
        });
    }
    let read = Reply::from_openai(body);
    let quoting =
        |wrong: prompt_core::Error| fault::quoting(wrong.message().to_owned(), &body.to_string());
    let mut reply = read.map_err(quoting)?;
    let refused = reply.finish == Some(Finish::Filter);
    reply.finish = ended(choice(body).and_then(reason), refused);
    reply.usage = counted(reply.usage, body, to.adapter_kind);
    reply.model = reply.model.or_else(|| Some(to.model_name.to_string()));
    let details = message(body).and_then(|message| message.get("reasoning_details"));
    let details = details.and_then(Value::as_array);
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
