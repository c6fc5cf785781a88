//! Arguments of tool calls that are written as text between tags, where the tool's schema decides how they are read.

use super::chat::{ChatCall, ChatInput, ChatMessage};
use super::writer::FormatWriter;
use crate::format::answer::argument_json;
use crate::{Json, Result};

/// The text of an argument, if it is read back as this value by the schema of the tool. `None` for the null of an optional
/// parameter whose type does not allow null: it is left out.
pub(crate) fn tagged_argument(
    (at, turn): (usize, &ChatMessage<'_>),
    call: &ChatCall,
    (key, value): (&str, &Json),
    written: String,
    chat: &ChatInput<'_>,
    out: &FormatWriter<'_>,
) -> Result<Option<String>> {
    let tool = |tool: &Json| {
        let function = tool.get("function")?;
        let is_called = function.get("name")?.as_string()? == call.name.as_str();
        is_called.then(|| function.get("parameters")).flatten()
    };
    let parameters = chat.tools.iter().flatten().find_map(tool);
    let parsed = |json: &Json| serde_json::from_str::<serde_json::Value>(json.as_str()).ok();
    let Some(parameters) = parameters
        .and_then(|json| parsed(&json))
        .filter(|_| out.is_strict())
    else {
        return Ok(Some(written));
    };
    let read = argument_json(Some(&parameters["properties"][key]), &written, None);
    if read.and_then(|read| serde_json::from_str(&read).ok()) == parsed(value) {
        return Ok(Some(written));
    }
    let mut required = parameters["required"].as_array().into_iter().flatten();
    if value.as_str() == "null" && !required.any(|name| name == key) {
        return Ok(None);
    }
    let what = format!(
        "gives `{key}` of `{}` a value that the tool's schema reads back as another one (`{}`)",
        call.name,
        value.as_str()
    );
    let help = "give a value of the parameter's type, or give the parameter a type in the schema";
    Err(out.unsupported_message(at, turn, &what, help))
}
