//! The result of a tool: text and media.

use prompt_core::{Error, Media, Part, Result, Text, ToolOutput};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

use crate::connection::server_error;

/// Returns a result for the model. Texts are joined by line breaks, up to the next image, sound or file; links and resources of text are JSON, as the server wrote
/// them. Structured content is appended, unless a text is the same JSON. `redact` is applied to each text.
///
/// A result that the server marks as an error is an error with its text.
pub(crate) fn output_of(
    tool: &str,
    result: CallToolResult,
    redact: impl Fn(&str) -> String,
) -> Result<ToolOutput> {
    let mut texts = Vec::new();
    // The position of each medium among the texts.
    let mut media = Vec::new();
    for block in result.content {
        match block {
            ContentBlock::Text(text) => texts.push(text.text),
            other => match media_of(tool, &other)? {
                Some(medium) => media.push((texts.len(), medium)),
                None => texts.push(serde_json::to_string(&other).map_err(|error| {
                    server_error(format!(
                        "the result of the tool `{tool}` cannot be read: {error}"
                    ))
                })?),
            },
        }
    }
    if let Some(structured) = result.structured_content
        && !repeats_text(&texts, &structured)
    {
        texts.push(structured.to_string());
    }
    let texts: Vec<String> = texts.iter().map(|text| redact(text)).collect();
    if result.is_error == Some(true) {
        return Err(tool_failure(tool, &texts.join("\n")));
    }
    let mut parts = Vec::new();
    let mut written = 0;
    let count = texts.len();
    for (position, medium) in media
        .into_iter()
        .map(|(at, it)| (at, Some(it)))
        .chain([(count, None)])
    {
        if position > written {
            let text = texts[written..position].join("\n");
            parts.push(Part::Text(Text::from(text)));
            written = position;
        }
        parts.extend(medium.map(Part::Media));
    }
    Ok(ToolOutput::from(parts))
}

/// The image, sound or file of a block. `None` for a block without one.
fn media_of(tool: &str, block: &ContentBlock) -> Result<Option<Media>> {
    let media = match block {
        ContentBlock::Image(image) => Media::image_base64(&*image.mime_type, &*image.data),
        ContentBlock::Audio(audio) => Media::audio_base64(&*audio.mime_type, &*audio.data),
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::BlobResourceContents {
                uri,
                mime_type: Some(mime),
                blob,
                ..
            } => {
                let name = uri.rsplit('/').next().unwrap_or(uri).to_owned();
                let media = match mime.split('/').next().unwrap_or_default() {
                    "image" => Media::image_base64(&**mime, &**blob),
                    "audio" => Media::audio_base64(&**mime, &**blob),
                    "video" => Media::video_base64(&**mime, &**blob),
                    _ => Media::file_base64(&**mime, &**blob),
                };
                media.map(|media| media.with_name(name))
            }
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    let media = media.and_then(|media| media.check().map(|()| media));
    media.map(Some).map_err(|error| {
        let message = format!(
            "the result of the tool `{tool}` cannot be read: {}",
            error.message()
        );
        server_error(message)
    })
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
