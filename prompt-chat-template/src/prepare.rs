//! What transformers 5.24 does with a conversation before the template receives it; `docs/chat-templates.md` names the sources.

use crate::node::{InputNode, REASONING, TemplateConversation};
use prompt_core::{Error, ErrorKind, Json, JsonKind, Result};

/// Prepares each message: keys whose value is null are left out, and the reasoning has the two names that templates read. Images are
/// written in one way for a template that takes images, whose model has a processor.
pub(crate) fn prepare_messages(conversation: &mut TemplateConversation, source: &str) {
    let takes_images = ["'image'", "\"image\""]
        .iter()
        .any(|word| source.contains(word));
    for message in &mut conversation.messages {
        if takes_images && let Some(InputNode::List(parts)) = message.get_mut("content") {
            parts.iter_mut().for_each(name_image);
        }
        if let InputNode::Map(entries) = message {
            entries.retain(|entry| !matches!(entry.1, InputNode::Null(_)));
            name_reasoning(entries);
        }
    }
}

/// Writes `{"type": "image_url", "image_url": {"url": …}}`, as OpenAI's API has it, as `{"type": "image", "url": …}`.
fn name_image(part: &mut InputNode) {
    let image = match part.get("type").and_then(InputNode::as_str) {
        Some("image_url") => part.get("image_url"),
        _ => None,
    };
    let Some(image) = image else {
        return;
    };
    let url = match image {
        InputNode::Map(_) => image.get("url").cloned(),
        other => Some(other.clone()),
    };
    let text = InputNode::template_text;
    *part = InputNode::Map(vec![
        (text("type"), text("image")),
        (text("url"), url.unwrap_or_else(|| text(""))),
    ]);
}

/// Python's `{"thinking": reasoning, **message, "reasoning_content": reasoning}`: `thinking` comes first and keeps its own value,
/// `reasoning_content` is replaced.
fn name_reasoning(entries: &mut Vec<(InputNode, InputNode)>) {
    let position = |entries: &[(InputNode, InputNode)], name: &str| {
        entries
            .iter()
            .position(|entry| entry.0.as_str() == Some(name))
    };
    let Some(first) = REASONING.iter().find_map(|name| position(entries, name)) else {
        return;
    };
    let reasoning = entries[first].1.clone();
    let thinking = match position(entries, "thinking") {
        Some(at) => entries.remove(at),
        None => (InputNode::template_text("thinking"), reasoning.clone()),
    };
    entries.insert(0, thinking);
    match position(entries, "reasoning_content") {
        Some(at) => entries[at].1 = reasoning,
        None => entries.push((InputNode::template_text("reasoning_content"), reasoning)),
    }
}

/// The reasoning of a message that is prepared.
pub(crate) fn reasoning(message: &InputNode) -> Option<&str> {
    message.get("reasoning_content")?.as_str()
}

/// The text that is continued must be in the rendered text as it is, so that the model continues what the caller wrote.
pub(crate) fn check_continued(conversation: &TemplateConversation, rendered: &str) -> Result<()> {
    let last = conversation.messages.last();
    let text = last.and_then(|last| match last.get("content")? {
        InputNode::List(parts) => parts
            .iter()
            .rev()
            .find_map(|part| part.get("text"))?
            .as_str(),
        text => text.as_str(),
    });
    let text = text.unwrap_or_default();
    if rendered.contains(text.trim_matches(prompt_core::python::is_whitespace)) {
        return Ok(());
    }
    let message =
        "the chat template changes the last message, so that the model cannot continue it";
    let error = Error::new(ErrorKind::Unsupported, message);
    Err(error.with_help("leave out the part of the message that the template removes"))
}

/// The definitions of tools.
pub(crate) fn check_tools(tools: &Json) -> Result<()> {
    match tools.items() {
        Some(items) => check_objects("tools", &items),
        None => Err(not_object("`tools` is a list of objects", tools)),
    }
}

/// The items of a list of objects.
pub(crate) fn check_objects(name: &str, items: &[Json]) -> Result<()> {
    match items
        .iter()
        .position(|item| item.kind() != JsonKind::Object)
    {
        Some(at) => Err(not_object(
            &format!("`{name}[{at}]` is an object"),
            &items[at],
        )),
        None => Ok(()),
    }
}

fn not_object(expected: &str, found: &Json) -> Error {
    let found = found.kind().name();
    Error::new(
        ErrorKind::Unsupported,
        format!("{expected}, and this is {found}"),
    )
}
