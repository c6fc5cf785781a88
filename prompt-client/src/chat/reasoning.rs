//! Reasoning blocks of earlier turns, which providers require together with the turn that followed them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prompt_core::{Message, Messages, Role, ToolCall};
use serde_json::Value;

use super::support::ReasoningFormat;
use crate::answer::{OnEnd, ReceivedAnswer};
use crate::error::{CallError, CallErrorKind};

/// The reasoning blocks of the latest turns: signatures, and encrypted or redacted blocks. Some providers reject a
/// conversation without them. They are opaque to everyone else, so they are kept here and not in the messages.
#[derive(Clone, Default)]
pub(super) struct ReasoningCache(Arc<Mutex<VecDeque<CachedTurn>>>);

/// Older turns most likely belong to conversations that have ended.
const CACHED_TURNS: usize = 1024;

#[derive(Clone)]
struct CachedTurn {
    /// The reasoning of the reply.
    reasoning: String,
    /// The reasoning blocks in their order and form, as the provider requires them in later requests.
    blocks: Vec<Value>,
    /// The tool calls, each with its own signature.
    calls: Vec<(ToolCall, Option<String>)>,
}

impl CachedTurn {
    fn matches_message(&self, message: &Message, same_call: SameCall) -> bool {
        let reasoning = message.reasoning.as_ref().map(prompt_core::Text::as_str);
        match message.tool_calls.first() {
            // A message with calls may omit the reasoning, but not have another one.
            Some(call) => {
                self.calls.iter().any(|(cached, _)| same_call(cached, call))
                    && reasoning.is_none_or(|reasoning| reasoning == self.reasoning)
            }
            None => self.calls.is_empty() && reasoning == Some(&self.reasoning),
        }
    }
}

/// Whether two calls are the same.
type SameCall = fn(&ToolCall, &ToolCall) -> bool;

/// Calls are compared by id and arguments first, then by id alone: some providers send no ids.
const SAME_CALL: [SameCall; 2] = [
    |cached, call| same_id(cached, call) && parse_arguments(cached) == parse_arguments(call),
    same_id,
];

/// Providers without ids identify a call by its tool.
fn same_id(cached: &ToolCall, call: &ToolCall) -> bool {
    cached.id == call.id && (cached.id.is_some() || cached.name == call.name)
}

/// The arguments of a call; a string if they are not valid JSON.
fn parse_arguments(call: &ToolCall) -> Value {
    serde_json::from_str(&call.arguments).unwrap_or_else(|_| call.arguments.as_str().into())
}

impl ReasoningCache {
    /// Adds the turn of each answer that ends.
    pub(super) fn on_end(&self) -> OnEnd {
        let cache = self.clone();
        Box::new(move |answer| cache.insert_answer(answer))
    }

    fn insert_answer(&self, answer: &ReceivedAnswer) {
        let calls = answer.calls.iter();
        let calls = calls.map(|call| (call.call.clone(), call.signature.clone()));
        let turn = CachedTurn {
            reasoning: answer.reasoning.clone(),
            blocks: answer.blocks.clone(),
            calls: calls.collect(),
        };
        let is_signed = turn.calls.iter().any(|(_, signature)| signature.is_some());
        if turn.reasoning.is_empty() && turn.blocks.is_empty() && !is_signed {
            return;
        }
        let mut turns = self.lock_turns();
        turns.push_back(turn);
        if turns.len() > CACHED_TURNS {
            turns.pop_front();
        }
    }

    /// The cached turn of a message, if this client received it.
    fn find_turn(&self, message: &Message) -> Option<CachedTurn> {
        let turns = self.lock_turns();
        let find = |same_call| {
            let mut latest = turns.iter().rev();
            latest.find(|turn| turn.matches_message(message, same_call))
        };
        SAME_CALL.into_iter().find_map(find).cloned()
    }

    /// The signature that the provider requires together with a call in later requests.
    pub(super) fn call_signature(&self, call: &ToolCall) -> Option<String> {
        let turns = self.lock_turns();
        let find = |same_call: SameCall| {
            let mut calls = turns.iter().rev().flat_map(|turn| &turn.calls);
            calls.find(|(cached, _)| same_call(cached, call))
        };
        let (_, signature) = SAME_CALL.into_iter().find_map(find)?;
        signature.clone()
    }

    /// The reasoning blocks of a message.
    ///
    /// # Errors
    /// The message has reasoning of another model, which the provider does not accept.
    pub(super) fn reasoning_blocks(
        &self,
        index: usize,
        messages: &Messages,
        format: ReasoningFormat,
        provider: &str,
    ) -> Result<Vec<Value>, CallError> {
        use ReasoningFormat::{ContentPart, Field};

        let message = &messages[index];
        if message.role != Role::Assistant {
            return Ok(Vec::new());
        }
        // Providers themselves drop reasoning before the last user message, so it may be omitted there.
        let is_current = || {
            let mut later = messages.iter().skip(index);
            !later.any(|later| later.role == Role::User)
        };
        match self.find_turn(message).map(|turn| turn.blocks) {
            Some(blocks) => Ok(blocks),
            None if matches!(format, Field | ContentPart) => Ok(Vec::new()),
            None if message.reasoning.is_some() && is_current() => {
                Err(foreign_reasoning(index, message, provider))
            }
            None => Ok(Vec::new()),
        }
    }

    fn lock_turns(&self) -> MutexGuard<'_, VecDeque<CachedTurn>> {
        // A panic elsewhere cannot leave the list half written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn foreign_reasoning(index: usize, message: &Message, provider: &str) -> CallError {
    let call = match message.tool_calls.first() {
        Some(call) => format!(" beside the call of `{}`", call.name),
        None => String::new(),
    };
    let message = format!(
        "message {index} has reasoning of another model{call}: `{provider}` accepts only its own reasoning, if any"
    );
    CallError::new(CallErrorKind::Setup, message)
        .with_help("leave it out with `.reasoning_sent(false)`")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::answer::PartialCall;

    fn turn(id: &str, arguments: &str, reasoning: &str) -> ReceivedAnswer {
        let mut answer = ReceivedAnswer::default();
        answer.push_reasoning(reasoning);
        answer.push_call(PartialCall {
            call: ToolCall::new(id, "add", arguments),
            signature: Some(format!("s{id}{arguments}")),
            ..PartialCall::default()
        });
        answer.push_block(json!({"signature": id}));
        answer
    }

    fn calls(id: &str) -> Message {
        Message::calls([ToolCall::new(id, "add", "{}")])
    }

    #[test]
    fn the_latest_turns_are_cached() {
        let cache = ReasoningCache::default();
        (0..=CACHED_TURNS).for_each(|id| cache.insert_answer(&turn(&id.to_string(), "{}", "")));
        let signature = |id: &str| cache.call_signature(&calls(id).tool_calls[0]);
        assert_eq!(signature("0"), None);
        assert_eq!(signature("1"), Some("s1{}".to_owned()));
        assert_eq!(cache.lock_turns().len(), CACHED_TURNS);
    }

    #[test]
    fn reasoning_blocks_belong_to_one_turn() {
        let cache = ReasoningCache::default();
        cache.insert_answer(&turn("a", "{}", "ra"));
        let blocks = |message: &Message| cache.find_turn(message).map(|turn| turn.blocks.len());
        assert_eq!(blocks(&calls("a")), Some(1));
        assert_eq!(blocks(&calls("a").with_reasoning("ra")), Some(1));
        assert_eq!(blocks(&calls("a").with_reasoning("another")), None);
        assert_eq!(blocks(&calls("b")), None);
        assert_eq!(blocks(&Message::assistant("ra")), None);
    }

    #[test]
    fn calls_with_the_same_id_are_distinguished_by_their_arguments() {
        let cache = ReasoningCache::default();
        for arguments in ["{\"a\":1}", "{\"a\":2}"] {
            cache.insert_answer(&turn("c", arguments, ""));
        }
        for (arguments, signature) in [
            ("{\"a\": 1}", "sc{\"a\":1}"),
            ("{\"a\":2}", "sc{\"a\":2}"),
            ("{}", "sc{\"a\":2}"),
        ] {
            let call = ToolCall::new("c", "add", arguments);
            assert_eq!(cache.call_signature(&call).as_deref(), Some(signature));
        }
    }

    #[test]
    fn turns_without_calls_are_identified_by_their_reasoning() {
        let cache = ReasoningCache::default();
        let mut answer = ReceivedAnswer::default();
        answer.push_reasoning("Easy.");
        cache.insert_answer(&answer);
        let message = |reasoning: &str| Message::assistant("4").with_reasoning(reasoning);
        assert!(cache.find_turn(&message("Easy.")).is_some());
        assert!(cache.find_turn(&message("Hard.")).is_none());
        assert!(cache.find_turn(&Message::assistant("4")).is_none());
    }
}
