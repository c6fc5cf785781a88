//! Writing and reading the JSON bodies of requests and answers.

use prompt_core::openai::RequestOptions;
use prompt_core::openai::answer::count;
use prompt_core::{Message, Part, Text, Tool, ToolCall};
use serde_core::Serialize;
use serde_json::{Map, Value, json};

use crate::error::{CallError, CallErrorKind};

/// A value as JSON.
///
/// # Errors
/// The writer in `prompt-core` has no form for a part of the value.
pub(crate) fn to_json(value: &impl Serialize) -> Result<Value, CallError> {
    serde_json::to_value(value)
        .map_err(|error| CallError::new(CallErrorKind::Setup, error.to_string()))
}

/// Adds a field to a body, unless its value is null.
pub(crate) fn set_field(body: &mut Map<String, Value>, name: &str, value: impl Serialize) {
    // Numbers, texts and lists of texts are always JSON.
    if let Ok(value) = serde_json::to_value(value)
        && !value.is_null()
    {
        body.insert(name.to_owned(), value);
    }
}

/// Adds the options of a request, by their names in OpenAI's protocol. A number without a form in JSON is omitted.
pub(crate) fn set_options(body: &mut Map<String, Value>, options: RequestOptions<'_>) {
    if let Ok(Value::Object(options)) = serde_json::to_value(options) {
        body.extend(options.into_iter().filter(|(_, value)| !value.is_null()));
    }
}

/// Adds a list to a body, unless it is empty.
pub(crate) fn set_list(body: &mut Map<String, Value>, name: &str, items: &[impl Serialize]) {
    if !items.is_empty() {
        set_field(body, name, items);
    }
}

/// Adds parts before the content of a message.
pub(crate) fn prepend_parts(mut parts: Vec<Value>, message: &mut Value) {
    if parts.is_empty() {
        return;
    }
    match message["content"].take() {
        Value::String(text) if !text.is_empty() => {
            parts.push(json!({"type": "text", "text": text}));
        }
        Value::Array(content) => parts.extend(content),
        _ => {}
    }
    message["content"] = Value::Array(parts);
}

/// The text of a message without media.
pub(crate) fn message_text(message: &Message) -> String {
    let texts = message.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(Text::as_str(text)),
        _ => None,
    });
    texts.collect()
}

/// The arguments of a call as a JSON object, which most protocols require.
pub(crate) fn parse_arguments(index: usize, call: &ToolCall) -> Result<Value, CallError> {
    let value = serde_json::from_str::<Value>(&call.arguments);
    value.ok().filter(Value::is_object).ok_or_else(|| {
        let message = format!(
            "message {index} calls the tool `{}` with arguments that are not a JSON object",
            call.name
        );
        CallError::new(CallErrorKind::Setup, message)
    })
}

/// The definition of a function, without OpenAI's wrapper.
pub(crate) fn function_definition(tool: &Tool) -> Result<Map<String, Value>, CallError> {
    let mut tool = to_json(tool)?;
    match tool["function"].take() {
        Value::Object(function) => Ok(function),
        _ => Ok(Map::new()),
    }
}

/// The string at a JSON pointer.
pub(crate) fn string_at<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str()
}

/// The list at a JSON pointer; an empty one if there is none.
pub(crate) fn list_at<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    let list = value.pointer(pointer).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

pub(crate) fn count_at(value: &Value, pointer: &str) -> Option<u64> {
    count(value.pointer(pointer)?)
}
