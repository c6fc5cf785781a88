use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use genai::chat::{ContentPart, MessageContent, ToolCall};
use prompt_core::Message;
use serde_json::{Value, json};

/// What providers said of their thoughts, to be given back with the turn that they led to: signatures, encrypted and
/// redacted blocks. Some refuse the conversation without these; nobody else can read them, so they are kept here and not
/// in the messages.
#[derive(Clone, Default)]
pub(super) struct Thoughts(Arc<Mutex<VecDeque<Thought>>>);

/// How many turns are remembered, the latest.
const KEPT: usize = 1024;

/// The thought before one turn.
#[derive(Clone)]
pub(super) struct Thought {
    /// The reasoning as the reply had it.
    reasoning: String,
    /// The blocks in their order, as the provider wants them back.
    blocks: Vec<ContentPart>,
    /// The calls of tools that it led to, each with its own signatures.
    calls: Vec<ToolCall>,
}

impl Thought {
    /// The blocks without the reasoning's text, for protocols that have a field for that.
    pub(super) fn details(&self) -> impl Iterator<Item = ContentPart> + '_ {
        let blocks = self.blocks.iter();
        blocks
            .filter(|block| matches!(block, ContentPart::Custom(_)))
            .cloned()
    }

    pub(super) fn blocks(&self) -> &[ContentPart] {
        &self.blocks
    }

    fn led_to(&self, message: &Message, same: Same) -> bool {
        let reasoning = message.reasoning.as_ref().map(prompt_core::Text::as_str);
        match message.tool_calls.first() {
            // Calls may go back without the reasoning, and never with another's.
            Some(call) => {
                self.calls.iter().any(|known| same(known, call))
                    && reasoning.is_none_or(|reasoning| reasoning == self.reasoning)
            }
            None => self.calls.is_empty() && reasoning == Some(&self.reasoning),
        }
    }
}

/// Whether two calls are the same.
type Same = fn(&ToolCall, &prompt_core::ToolCall) -> bool;

/// In all they say, and else by their ids: genai numbers the calls of Gemini anew in each answer.
const SAME: [Same; 2] = [
    |known, call| known.call_id == call_id(call) && known.fn_arguments == arguments(call),
    |known, call| known.call_id == call_id(call),
];

/// The id of a call; providers that give none know it by its tool.
pub(super) fn call_id(call: &prompt_core::ToolCall) -> &str {
    call.id.as_deref().unwrap_or(&call.name)
}

/// The arguments of a call; what is no JSON stays as the model wrote it.
pub(super) fn arguments(call: &prompt_core::ToolCall) -> Value {
    serde_json::from_str(&call.arguments).unwrap_or_else(|_| json!(call.arguments))
}

impl Thoughts {
    /// Remembers what stands in a turn beside its words, with the reasoning as the reply has it.
    pub(super) fn remember(&self, turn: &MessageContent, reasoning: Option<&str>) {
        let thought = Thought {
            reasoning: reasoning.unwrap_or_default().to_owned(),
            blocks: turn
                .parts()
                .iter()
                .filter(|part| is_thought(part))
                .cloned()
                .collect(),
            calls: turn.tool_calls().into_iter().cloned().collect(),
        };
        let mut calls = thought.calls.iter();
        let signed = calls.any(|call| call.thought_signatures.is_some());
        if thought.reasoning.is_empty() && thought.blocks.is_empty() && !signed {
            return;
        }
        let mut kept = self.kept();
        kept.push_back(thought);
        if kept.len() > KEPT {
            kept.pop_front();
        }
    }

    /// The thought that led to a turn, if this client heard it.
    pub(super) fn find(&self, message: &Message) -> Option<Thought> {
        let kept = self.kept();
        let find = |same: Same| {
            let mut latest = kept.iter().rev();
            latest.find(|thought| thought.led_to(message, same))
        };
        SAME.into_iter().find_map(find).cloned()
    }

    /// What a provider wants back with one call.
    pub(super) fn signatures(&self, call: &prompt_core::ToolCall) -> Option<Vec<String>> {
        let kept = self.kept();
        let find = |same: Same| {
            let mut calls = kept.iter().rev().flat_map(|thought| &thought.calls);
            calls.find(|known| same(known, call))
        };
        SAME.into_iter().find_map(find)?.thought_signatures.clone()
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Thought>> {
        // A panic elsewhere cannot leave the list half written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_thought(part: &ContentPart) -> bool {
    match part {
        ContentPart::ThoughtSignature(_) | ContentPart::ReasoningContent(_) => true,
        ContentPart::Custom(block) => block.typ().is_some_and(|kind| {
            matches!(kind, "thinking" | "redacted_thinking") || kind.starts_with("reasoning.")
        }),
        _ => false,
    }
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
            ContentPart::Text("words".to_owned()),
            ContentPart::ToolCall(call),
        ])
    }

    fn calls(id: &str) -> Message {
        Message::calls([prompt_core::ToolCall::new(id, "add", "{}")])
    }

    #[test]
    fn the_latest_turns_are_remembered() {
        let thoughts = Thoughts::default();
        (0..=KEPT).for_each(|id| thoughts.remember(&turn(&id.to_string()), None));
        let signatures = |id: &str| thoughts.signatures(&calls(id).tool_calls[0]);
        assert_eq!(signatures("0"), None);
        assert_eq!(signatures("1"), Some(vec!["s1".to_owned()]));
        assert_eq!(thoughts.kept().len(), KEPT);
    }

    #[test]
    fn a_thought_belongs_to_one_turn() {
        let thoughts = Thoughts::default();
        thoughts.remember(&turn("a"), Some("ra"));
        let blocks = |message: &Message| thoughts.find(message).map(|thought| thought.blocks.len());
        assert_eq!(blocks(&calls("a")), Some(2));
        assert_eq!(blocks(&calls("a").with_reasoning("ra")), Some(2));
        assert_eq!(blocks(&calls("a").with_reasoning("another")), None);
        assert_eq!(blocks(&calls("b")), None);
        assert_eq!(blocks(&Message::assistant("ra")), None);
    }

    #[test]
    fn calls_of_one_id_are_told_apart_by_their_arguments() {
        let thoughts = Thoughts::default();
        for number in [1, 2] {
            let call = ToolCall {
                call_id: "call#add#0".to_owned(),
                fn_name: "add".to_owned(),
                fn_arguments: json!({"a": number}),
                thought_signatures: Some(vec![format!("s{number}")]),
            };
            thoughts.remember(&MessageContent::from_tool_calls(vec![call]), None);
        }
        for (arguments, signature) in [("{\"a\": 1}", "s1"), ("{\"a\":2}", "s2"), ("{}", "s2")] {
            let call = prompt_core::ToolCall::new("call#add#0", "add", arguments);
            assert_eq!(thoughts.signatures(&call), Some(vec![signature.to_owned()]));
            let thought = thoughts.find(&Message::calls([call])).unwrap();
            assert_eq!(
                thought.calls[0].thought_signatures,
                Some(vec![signature.to_owned()])
            );
        }
    }

    #[test]
    fn turns_without_calls_are_known_by_their_reasoning() {
        let thoughts = Thoughts::default();
        thoughts.remember(&MessageContent::from_text("4"), Some("Easy."));
        let said = |reasoning: &str| Message::assistant("4").with_reasoning(reasoning);
        assert!(thoughts.find(&said("Easy.")).is_some());
        assert!(thoughts.find(&said("Hard.")).is_none());
        assert!(thoughts.find(&Message::assistant("4")).is_none());
    }
}
