//! The prompt cache of OpenAI: its key, and marks at the ends of the cached parts.

use prompt_core::{PromptCache, Role};
use serde_json::{Map, Value, json};

use crate::chat::draft::RequestDraft;
use crate::error::{CallError, CallErrorKind};
use crate::json_body::set_field;

/// The number of marks of the cache that the API accepts in a request.
const MAX_MARKS: usize = 4;

/// The type of a part of text in the Responses API.
pub(super) const INPUT_TEXT: &str = "input_text";

/// Adds the options of the cache to a body. `items` are those of its conversation, `ends` the last item of each message, and `text_type` is the type of a part of
/// text.
///
/// The API has its own mark at the end of the latest message, unless the mode is `explicit`.
pub(super) fn write_prompt_cache(
    body: &mut Map<String, Value>,
    items: &mut [Value],
    ends: &[usize],
    draft: &RequestDraft<'_>,
    text_type: &str,
) -> Result<(), CallError> {
    let refuse = |message: String, help: &str| {
        Err(CallError::new(CallErrorKind::Setup, message).with_help(help))
    };
    let mut mark = |message: usize| match ends.get(message).and_then(|end| items.get_mut(*end)) {
        Some(item) => mark_end(item, text_type),
        None => false,
    };
    let mut indices = 0..draft.messages.len();
    let system = indices.rfind(|index| draft.messages[*index].role == Role::System);
    let mode = match &draft.options.prompt_cache {
        Some(PromptCache::Key(key)) => {
            set_field(body, "prompt_cache_key", key);
            return Ok(());
        }
        Some(PromptCache::Instructions) => {
            if !system.is_some_and(mark) {
                return refuse(
                    "the option `prompt_cache` is for instructions, but the prompt has no system message with text".to_owned(),
                    "unset it, or set `PromptCache::Conversation`",
                );
            }
            "explicit"
        }
        Some(PromptCache::Conversation) => {
            if let Some(system) = system {
                mark(system);
            }
            "implicit"
        }
        Some(PromptCache::Messages(marked)) => {
            let mut marked = marked.clone();
            marked.sort_unstable();
            marked.dedup();
            if marked.len() > MAX_MARKS {
                let count = marked.len();
                let message = format!(
                    "the option `prompt_cache` marks {count} messages, but the API accepts {MAX_MARKS}"
                );
                return refuse(message, "mark fewer messages");
            }
            if let Some(index) = marked.iter().find(|index| !mark(**index)) {
                let role = draft
                    .messages
                    .iter()
                    .nth(*index)
                    .map(|message| message.role);
                let problem = match role {
                    Some(Role::Assistant) if text_type == INPUT_TEXT => {
                        "which is one of the assistant: this API marks only those of the system and the user"
                    }
                    _ => "which is not a message with text or media",
                };
                let message = format!("the option `prompt_cache` marks message {index}, {problem}");
                return refuse(message, "mark another message; the first one is 0");
            }
            "explicit"
        }
        _ => return Ok(()),
    };
    let mut options = Map::from_iter([("mode".to_owned(), json!(mode))]);
    set_field(&mut options, "ttl", draft.cache_ttl);
    set_field(body, "prompt_cache_options", options);
    Ok(())
}

/// Marks the last part of a message. Returns `false` if it has none that can be marked.
fn mark_end(message: &mut Value, text_type: &str) -> bool {
    // The text of the assistant is an `output_text` there, which has no mark.
    if text_type == INPUT_TEXT && message["role"] == "assistant" {
        return false;
    }
    if let Some(Value::String(text)) = message.get("content") {
        message["content"] = json!([{"type": text_type, "text": text}]);
    }
    let content = message.get_mut("content");
    let last = content
        .and_then(Value::as_array_mut)
        .and_then(|parts| parts.last_mut());
    match last {
        Some(part) => {
            part["prompt_cache_breakpoint"] = json!({"mode": "explicit"});
            true
        }
        None => false,
    }
}
