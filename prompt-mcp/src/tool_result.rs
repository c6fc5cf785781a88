//! The text of a tool's result.

use prompt_core::{Error, Result};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use crate::connection::server_error;

/// Returns the text of a result for the model. Blocks are joined by line breaks; resources and links are JSON, as the server wrote them.
/// Structured content is appended, unless a text is the same JSON.
///
/// A result that the server marks as an error is an error with its text.
pub(crate) fn text_of(tool: &str, result: CallToolResult) -> Result<String> {
    let mut texts = Vec::new();
    for block in result.content {
        texts.push(match block {
            ContentBlock::Text(text) => text.text,
            ContentBlock::Image(image) => {
                return Err(parse_media(tool, "an image", &image.mime_type));
            }
            ContentBlock::Audio(audio) => return Err(parse_media(tool, "audio", &audio.mime_type)),
            other => serde_json::to_string(&other).map_err(|error| {
                server_error(format!(
                    "the result of the tool `{tool}` cannot be read: {error}"
                ))
            })?,
        });
    }
    if let Some(structured) = result.structured_content
        && !repeats_text(&texts, &structured)
    {
        texts.push(structured.to_string());
    }
    let text = texts.join("\n");
    match result.is_error {
        Some(true) => Err(tool_failure(tool, &text)),
        _ => Ok(text),
    }
}

/// The error of a tool that failed.
pub(crate) fn tool_failure(tool: &str, why: &str) -> Error {
    server_error(format!("the tool `{tool}` failed: {why}"))
}

/// Whether the texts contain the structured content, as servers repeat it for clients that read text only: as one text, or the items of a list
/// as one text each.
fn repeats_text(texts: &[String], structured: &Value) -> bool {
    // A value that is not an object is wrapped in one with the field `result`.
    let wrapped = structured
        .as_object()
        .filter(|object| object.len() == 1)
        .and_then(|object| object.get("result"));
    [Some(structured), wrapped]
        .into_iter()
        .flatten()
        .any(|value| {
            texts.iter().any(|text| is_same(text, value))
                || value.as_array().is_some_and(|items| {
                    !texts.is_empty()
                        && items.len() == texts.len()
                        && items
                            .iter()
                            .zip(texts)
                            .all(|(item, text)| is_same(text, item))
                })
        })
}

fn is_same(text: &str, value: &Value) -> bool {
    value.as_str() == Some(text)
        || serde_json::from_str::<Value>(text).is_ok_and(|parsed| parsed == *value)
}

fn parse_media(tool: &str, what: &str, mime: &str) -> Error {
    server_error(format!(
        "the tool `{tool}` returned {what} (`{mime}`), and the result of a tool is text"
    ))
    .with_help("leave the tool out with `RemoteTools::only`, or let it return text")
}
