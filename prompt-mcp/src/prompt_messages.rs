//! Messages as those of an MCP prompt.

use prompt_core::{
    Error, ErrorKind, Media, MediaKind, MediaSource, Message, Messages, Part, Result, Role,
};
use rmcp::model::{
    ContentBlock, JsonObject, MetaObject, PromptMessage, Resource, ResourceContents,
    Role as McpRole, TextContent,
};

/// Returns the messages for a client: one for each part, since a message of MCP has one content block.
pub(crate) fn prompt_messages(messages: &Messages) -> Result<Vec<PromptMessage>> {
    if let Some(tool) = messages.tools().first() {
        return Err(unsupported_part(&format!(
            "tools, such as `{}`",
            tool.name()
        )));
    }
    let mut converted = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        convert_messages(message, &mut converted)
            .map_err(|error| error.at_message(index, message.role))?;
    }
    Ok(converted)
}

fn convert_messages(message: &Message, converted: &mut Vec<PromptMessage>) -> Result<()> {
    let role = match message.role {
        Role::User | Role::System => McpRole::User,
        Role::Assistant => McpRole::Assistant,
        _ => return Err(unsupported_part("results of tools")),
    };
    if !message.tool_calls.is_empty() {
        return Err(unsupported_part("tool calls"));
    }
    if message.reasoning.is_some() {
        return Err(unsupported_part("reasoning"));
    }
    if message.name.is_some() {
        return Err(unsupported_part("names of speakers"));
    }
    let is_system = message.role == Role::System;
    for part in &message.parts {
        let block = match part {
            Part::Text(text) if is_system => {
                let content = TextContent::new(text.as_str());
                ContentBlock::Text(content.with_meta(message_metadata("role", "system")))
            }
            Part::Text(text) => ContentBlock::text(text.as_str()),
            Part::Media(_) if is_system => {
                return Err(unsupported_part("media in a system message"));
            }
            Part::Media(media) => media_block(media)?,
            _ => return Err(unsupported_part("this part of a message")),
        };
        converted.push(PromptMessage::new(role.clone(), block));
    }
    Ok(())
}

fn media_block(media: &Media) -> Result<ContentBlock> {
    media.check()?;
    let kind = media.kind();
    Ok(match media.source() {
        MediaSource::Url(url) => {
            let name = media.name().unwrap_or_else(|| last_segment(url));
            let mut link = Resource::new(&**url, if name.is_empty() { kind.name() } else { name });
            link.meta = Some(message_metadata("kind", kind.name()));
            ContentBlock::resource_link(link)
        }
        MediaSource::Base64 { mime, data } if kind == MediaKind::Image => {
            ContentBlock::image(&**data, &**mime)
        }
        MediaSource::Base64 { mime, data } if kind == MediaKind::Audio => {
            ContentBlock::audio(&**data, &**mime)
        }
        MediaSource::Base64 { mime, data } => {
            let name = percent_encoded(media.name().unwrap_or(kind.name()));
            ContentBlock::resource(ResourceContents::BlobResourceContents {
                uri: format!("attachment:///{name}"),
                mime_type: Some(mime.to_string()),
                blob: data.to_string(),
                meta: Some(message_metadata("kind", kind.name())),
            })
        }
        _ => return Err(unsupported_part("this source of media")),
    })
}

/// A fact that the protocol has no field for.
fn message_metadata(key: &str, value: &str) -> MetaObject {
    let mut object = JsonObject::new();
    object.insert(format!("typed-prompt/{key}"), value.into());
    MetaObject(object)
}

fn last_segment(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    path.rsplit('/').next().unwrap_or(path)
}

fn percent_encoded(name: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(encode).collect()
}

fn unsupported_part(what: &str) -> Error {
    let message = format!("the messages of an MCP prompt cannot contain {what}");
    Error::new(ErrorKind::Unsupported, message)
        .with_help("serve a prompt without them, or offer them in the program that calls the model")
}
