//! Reasoning blocks of earlier turns, which providers want back with the turn that followed them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use genai::chat::{ContentPart, MessageContent, ToolCall};
use prompt_core::{Message, Messages, Role};
use serde_json::{Value, json};

use super::provider::ReasoningFormat;
use crate::error::{CallError, CallErrorKind};

/// The reasoning blocks of the latest turns: signatures, and encrypted or redacted blocks. Some providers reject a
/// conversation without them. They are opaque to everyone else, so they are kept here and not in the messages.
#[derive(Clone, Default)]
pub(super) struct ReasoningCache(Arc<Mutex<VecDeque<CachedTurn>>>);

const CACHED_TURNS: usize = 1024;

#[derive(Clone)]
struct CachedTurn {
    /// The reasoning of the reply.
    reasoning: String,
    /// The reasoning blocks in their order, as the provider wants them back.
    blocks: Vec<ContentPart>,
    /// The tool calls, each with its own signatures.
    calls: Vec<ToolCall>,
}

impl CachedTurn {
    fn matches(&self, message: &Message, same_call: SameCall) -> bool {
        let reasoning = message.reasoning.as_ref().map(prompt_core::Text::as_str);
        match message.tool_calls.first() {
            // A message with calls may omit the reasoning, but not have another one.
            Some(call) => {
                self.calls.iter().any(|cached| same_call(cached, call))
                    && reasoning.is_none_or(|reasoning| reasoning == self.reasoning)
            }
            None => self.calls.is_empty() && reasoning == Some(&self.reasoning),
        }
    }
}

/// Whether two calls are the same.
type SameCall = fn(&ToolCall, &prompt_core::ToolCall) -> bool;

/// Calls are compared by id and arguments first, then by id alone: genai restarts the ids of Gemini's calls in each answer.
const SAME_CALL: [SameCall; 2] = [
    |cached, call| cached.call_id == call_id(call) && cached.fn_arguments == arguments(call),
    |cached, call| cached.call_id == call_id(call),
];

/// The id of a call. Providers without ids identify a call by its tool.
pub(super) fn call_id(call: &prompt_core::ToolCall) -> &str {
    call.id.as_deref().unwrap_or(&call.name)
}

/// The arguments of a call; a string if they are not valid JSON.
pub(super) fn arguments(call: &prompt_core::ToolCall) -> Value {
    serde_json::from_str(&call.arguments).unwrap_or_else(|_| json!(call.arguments))
}

impl ReasoningCache {
    /// Adds the reasoning blocks of a turn, together with the reasoning of its reply.
    pub(super) fn insert(&self, turn: &MessageContent, reasoning: Option<&str>) {
        let blocks = turn.parts().iter().filter(|part| is_reasoning(part));
        let turn = CachedTurn {
            reasoning: reasoning.unwrap_or_default().to_owned(),
            blocks: blocks.cloned().collect(),
            calls: turn.tool_calls().into_iter().cloned().collect(),
        };
        let mut calls = turn.calls.iter();
        let is_signed = calls.any(|call| call.thought_signatures.is_some());
        if turn.reasoning.is_empty() && turn.blocks.is_empty() && !is_signed {
            return;
        }
        let mut turns = self.turns();
        turns.push_back(turn);
        if turns.len() > CACHED_TURNS {
            turns.pop_front();
        }
    }

    /// The cached turn of a message, if this client received it.
    fn find(&self, message: &Message) -> Option<CachedTurn> {
        let turns = self.turns();
        let find = |same_call| {
            let mut latest = turns.iter().rev();
            latest.find(|turn| turn.matches(message, same_call))
        };
        SAME_CALL.into_iter().find_map(find).cloned()
    }

    /// The signatures that the provider wants back with a call.
    pub(super) fn signatures(&self, call: &prompt_core::ToolCall) -> Option<Vec<String>> {
        let turns = self.turns();
        let find = |same_call: SameCall| {
            let mut calls = turns.iter().rev().flat_map(|turn| &turn.calls);
            calls.find(|cached| same_call(cached, call))
        };
        let call = SAME_CALL.into_iter().find_map(find)?;
        call.thought_signatures.clone()
    }

    /// The content parts that hold the reasoning of a message.
    pub(super) fn parts(
        &self,
        index: usize,
        messages: &Messages,
        format: ReasoningFormat,
    ) -> Result<Vec<ContentPart>, CallError> {
        let message = &messages[index];
        if message.role != Role::Assistant || format == ReasoningFormat::Omitted {
            return Ok(Vec::new());
        }
        let reasoning = message.reasoning.as_ref().map(prompt_core::Text::as_str);
        let blocks = self.find(message).map(|turn| turn.blocks);
        if format == ReasoningFormat::Field {
            // The text has a field of its own.
            let mut parts = blocks.unwrap_or_default();
            parts.retain(|block| matches!(block, ContentPart::Custom(_)));
            parts.extend(reasoning.map(|text| ContentPart::ReasoningContent(text.to_owned())));
            return Ok(parts);
        }
        // Providers themselves drop reasoning before the last user message, so it may be omitted there.
        let is_current = !messages
            .iter()
            .skip(index)
            .any(|later| later.role == Role::User);
        match blocks {
            Some(blocks) => Ok(blocks),
            None if reasoning.is_some() && is_current => Err(foreign_reasoning(index, message)),
            None => Ok(Vec::new()),
        }
    }

    fn turns(&self) -> MutexGuard<'_, VecDeque<CachedTurn>> {
        // A panic elsewhere cannot leave the list half written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_reasoning(part: &ContentPart) -> bool {
    match part {
        ContentPart::ThoughtSignature(_) | ContentPart::ReasoningContent(_) => true,
        ContentPart::Custom(block) => block.typ().is_some_and(|kind| {
            matches!(kind, "thinking" | "redacted_thinking") || kind.starts_with("reasoning.")
        }),
        _ => false,
    }
}

fn foreign_reasoning(index: usize, message: &Message) -> CallError {
    let call = match message.tool_calls.first() {
        Some(call) => format!(" beside the call of `{}`", call.name),
        None => String::new(),
    };
    let message = format!(
        "message {index} has reasoning of another model{call}: the provider accepts only its own reasoning"
    );
    CallError::new(CallErrorKind::Setup, message)
        .with_help("leave it out with `with_reasoning_sent(false)`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(id: &str) -> MessageContent {
        let call = ToolCall {
            call_id: id.to_owned(),
            fn_name: "add".to_owned(),
            fn_arguments: serde_json::json!({}),
            thought_signatures: Some(vec![format!("s{id}")]),
        };
        MessageContent::from_parts(vec![
            ContentPart::ThoughtSignature(format!("s{id}")),
            ContentPart::ReasoningContent(format!("r{id}")),
            ContentPart::Text("text".to_owned()),
            ContentPart::ToolCall(call),
        ])
    }

    fn calls(id: &str) -> Message {
        Message::calls([prompt_core::ToolCall::new(id, "add", "{}")])
    }

    #[test]
    fn the_latest_turns_are_cached() {
        let cache = ReasoningCache::default();
        (0..=CACHED_TURNS).for_each(|id| cache.insert(&turn(&id.to_string()), None));
        let signatures = |id: &str| cache.signatures(&calls(id).tool_calls[0]);
        assert_eq!(signatures("0"), None);
        assert_eq!(signatures("1"), Some(vec!["s1".to_owned()]));
        assert_eq!(cache.turns().len(), CACHED_TURNS);
    }

    #[test]
    fn reasoning_blocks_belong_to_one_turn() {
        let cache = ReasoningCache::default();
        cache.insert(&turn("a"), Some("ra"));
        let blocks = |message: &Message| cache.find(message).map(|turn| turn.blocks.len());
        assert_eq!(blocks(&calls("a")), Some(2));
        assert_eq!(blocks(&calls("a").with_reasoning("ra")), Some(2));
        assert_eq!(blocks(&calls("a").with_reasoning("another")), None);
        assert_eq!(blocks(&calls("b")), None);
        assert_eq!(blocks(&Message::assistant("ra")), None);
    }

    #[test]
    fn calls_with_the_same_id_are_distinguished_by_their_arguments() {
        let cache = ReasoningCache::default();
        for number in [1, 2] {
            let call = ToolCall {
                call_id: "call#add#0".to_owned(),
                fn_name: "add".to_owned(),
                fn_arguments: json!({"a": number}),
                thought_signatures: Some(vec![format!("s{number}")]),
            };
            cache.insert(&MessageContent::from_tool_calls(vec![call]), None);
        }
        for (arguments, signature) in [("{\"a\": 1}", "s1"), ("{\"a\":2}", "s2"), ("{}", "s2")] {
            let call = prompt_core::ToolCall::new("call#add#0", "add", arguments);
            assert_eq!(cache.signatures(&call), Some(vec![signature.to_owned()]));
            let turn = cache.find(&Message::calls([call])).unwrap();
            assert_eq!(
                turn.calls[0].thought_signatures,
                Some(vec![signature.to_owned()])
            );
        }
    }

    #[test]
    fn turns_without_calls_are_identified_by_their_reasoning() {
        let cache = ReasoningCache::default();
        cache.insert(&MessageContent::from_text("4"), Some("Easy."));
        let message = |reasoning: &str| Message::assistant("4").with_reasoning(reasoning);
        assert!(cache.find(&message("Easy.")).is_some());
        assert!(cache.find(&message("Hard.")).is_none());
        assert!(cache.find(&Message::assistant("4")).is_none());
    }
}
