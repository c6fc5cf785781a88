use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use genai::chat::ToolCall;

/// What some providers want back with a call of a tool, and refuse the conversation without: the signatures of the
/// thought that led to it. They mean nothing to anybody else, so they are kept here, by the call's id.
#[derive(Clone, Default)]
pub(super) struct Signatures(Arc<Mutex<VecDeque<Signed>>>);

/// A call's id and its signatures.
type Signed = (String, Vec<String>);

/// How many calls are remembered, the latest.
const KEPT: usize = 1024;

impl Signatures {
    pub(super) fn remember(&self, call: &ToolCall) {
        let Some(signatures) = &call.thought_signatures else {
            return;
        };
        let mut kept = self.kept();
        kept.retain(|(id, _)| *id != call.call_id);
        kept.push_back((call.call_id.clone(), signatures.clone()));
        if kept.len() > KEPT {
            kept.pop_front();
        }
    }

    pub(super) fn find(&self, id: &str) -> Option<Vec<String>> {
        let kept = self.kept();
        let (_, signatures) = kept.iter().rev().find(|(known, _)| known == id)?;
        Some(signatures.clone())
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Signed>> {
        // A panic elsewhere cannot leave the list half written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_are_remembered() {
        let signatures = Signatures::default();
        let call = |id: usize| ToolCall {
            call_id: id.to_string(),
            fn_name: "add".to_owned(),
            fn_arguments: serde_json::json!({}),
            thought_signatures: Some(vec![format!("s{id}")]),
        };
        (0..=KEPT).for_each(|id| signatures.remember(&call(id)));
        assert_eq!(signatures.find("0"), None);
        assert_eq!(signatures.find("1"), Some(vec!["s1".to_owned()]));
        assert_eq!(signatures.kept().len(), KEPT);
    }
}
