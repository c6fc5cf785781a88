//! The prompt cache of OpenAI: its key, and marks at the ends of the cached parts.

use prompt_core::PromptCache;
use serde_json::{Map, Value, json};

use crate::error::{CallError, CallErrorKind};
use crate::json_body::set_field;

/// Adds the options of the cache to a body. `text_type` is the type of a part of text in the messages of the protocol.
///
/// The API has its own mark at the end of the latest message, unless the mode is `explicit`.
pub(super) fn write_prompt_cache(
    body: &mut Map<String, Value>,
    messages: &mut [Value],
    cache: Option<&PromptCache>,
    text_type: &str,
) -> Result<(), CallError> {
    let mode = match cache {
        Some(PromptCache::Key(key)) => {
            set_field(body, "prompt_cache_key", key);
            return Ok(());
        }
        Some(PromptCache::Instructions) => "explicit",
        Some(PromptCache::Conversation) => "implicit",
        _ => return Ok(()),
    };
    let system = messages
        .iter_mut()
        .rfind(|message| message["role"] == "system");
    let is_marked = system.is_some_and(|message| mark_end(message, text_type));
    if !is_marked && mode == "explicit" {
        let message = "the option `prompt_cache` is for instructions, but the prompt has no system message with text";
        let error = CallError::new(CallErrorKind::Setup, message);
        return Err(error.with_help("unset it, or set `PromptCache::Conversation`"));
    }
    set_field(body, "prompt_cache_options", json!({"mode": mode}));
    Ok(())
}

/// Marks the last part of a message. Returns `false` if it has none.
fn mark_end(message: &mut Value, text_type: &str) -> bool {
    if let Value::String(text) = &message["content"] {
        message["content"] = json!([{"type": text_type, "text": text}]);
    }
    let last = message["content"]
        .as_array_mut()
        .and_then(|parts| parts.last_mut());
    match last {
        Some(part) => {
            part["prompt_cache_breakpoint"] = json!({"mode": "explicit"});
            true
        }
        None => false,
    }
}
