//! Reading conversations from JSON. What cannot be kept is an error, so that nothing is dropped.

use crate::json::{Shape, twice};
use crate::message::role_named;
use crate::{
    Error, ErrorKind, Json, Media, MediaKind, Message, Part, Result, Role, Text, ToolCall,
};

pub(super) fn turns(json: &Json) -> Result<Vec<Message>> {
    let items = json
        .items()
        .ok_or_else(|| expected("history is a list", json))?;
    let mut turns = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let result = match item.shape() {
            Shape::Array => pair(item).map(|pair| turns.extend(pair)),
            Shape::Object => message(item).map(|message| turns.push(message)),
            _ => Err(expected("a turn is a pair or a message", item)),
        };
        result.map_err(|error| error.inside(&format!("history[{index}]")))?;
    }
    Ok(turns)
}

fn wrong(message: String) -> Error {
    Error::new(ErrorKind::History, message)
}

fn expected(rule: &str, json: &Json) -> Error {
    wrong(format!("{rule}, and this is {}", json.shape().name()))
}

fn pair(json: &Json) -> Result<[Message; 2]> {
    let items = json.items().unwrap_or_default();
    let [user, assistant] = &items[..] else {
        let length = items.len();
        return Err(wrong(format!(
            "a pair is `[user, assistant]`, and the length of this is {length}"
        )));
    };
    let text = |json: &Json| {
        json.as_string()
            .ok_or_else(|| expected("a pair holds two strings", json))
    };
    Ok([
        Message::user(text(user)?),
        Message::assistant(text(assistant)?),
    ])
}

/// The entries of what has to be an object, each key once.
fn entries(json: &Json, what: &str) -> Result<Vec<(String, Json)>> {
    let entries = json
        .entries()
        .ok_or_else(|| expected(&format!("{what} is an object"), json))?;
    match twice(&entries) {
        None => Ok(entries),
        Some(key) => Err(wrong(format!("{what} has the key `{key}` twice"))),
    }
}

/// Reads one message in the shape of OpenAI's API.
pub(super) fn message(json: &Json) -> Result<Message> {
    let entries = entries(json, "a message")?;
    let mut role = None;
    let mut content = false;
    let mut message = Message::new(Role::User, Text::new());
    for (key, value) in &entries {
        let string = || {
            value
                .as_string()
                .ok_or_else(|| expected(&format!("`{key}` is a string"), value))
        };
        match &**key {
            "role" => role = Some(role_named(&string()?)?),
            _ if value.shape() == Shape::Null => {}
            "content" => {
                message.parts = parts(value)?;
                content = true;
            }
            "tool_calls" => message.tool_calls = calls(value)?,
            "tool_call_id" => message.tool_call_id = Some(string()?),
            "name" => message.name = Some(string()?),
            // Servers call it by several names; one is enough.
            "reasoning_content" | "reasoning" | "thinking" => {
                let text = string()?;
                let known = message.reasoning.as_ref();
                if known.is_some_and(|known| known.as_str() != text) {
                    return Err(wrong("the message has two reasonings".to_owned()));
                }
                message = message.with_reasoning(text);
            }
            _ => return Err(wrong(format!("a message has no key `{key}`"))),
        }
    }
    let Some(role) = role else {
        return Err(wrong("the message has no `role`".to_owned()));
    };
    if role != Role::Assistant && !message.tool_calls.is_empty() {
        return Err(wrong(format!(
            "only the assistant calls tools, and this is a {role} message"
        )));
    }
    if role != Role::Assistant && message.reasoning.is_some() {
        return Err(wrong(format!(
            "only the assistant reasons, and this is a {role} message"
        )));
    }
    if !content && message.tool_calls.is_empty() {
        return Err(wrong("the message has no `content`".to_owned()));
    }
    Ok(Message { role, ..message })
}

fn calls(json: &Json) -> Result<Vec<ToolCall>> {
    let items = json
        .items()
        .ok_or_else(|| expected("`tool_calls` is a list", json))?;
    Json::each(&items, "tool_calls", ToolCall::from_json)
}

fn parts(json: &Json) -> Result<Vec<Part>> {
    if let Some(text) = json.as_string() {
        // An empty string is content too, `null` is not.
        return Ok(vec![Part::from(text)]);
    }
    let items = json
        .items()
        .ok_or_else(|| expected("`content` is a string or a list of parts", json))?;
    Json::each(&items, "content", part)
}

/// Reads one item of `content`: `{"type": kind, kind: …}`.
fn part(json: &Json) -> Result<Part> {
    let entries = entries(json, "a part")?;
    let kind = find(&entries, "type").and_then(Json::as_string);
    let kind = kind.ok_or_else(|| wrong("a part has a `type`".to_owned()))?;
    let is_known = matches!(
        &*kind,
        "text" | "image_url" | "audio_url" | "video_url" | "input_audio" | "file"
    );
    if !is_known {
        return Err(wrong(format!("there is no part of type `{kind}`")));
    }
    if let Some((key, _)) = entries
        .iter()
        .find(|entry| entry.0 != "type" && entry.0 != kind)
    {
        return Err(wrong(format!("a part of type `{kind}` has no key `{key}`")));
    }
    let missing = || wrong(format!("a part of type `{kind}` has a key `{kind}`"));
    let value = find(&entries, &kind).ok_or_else(missing)?;
    if kind == "text" {
        let text = value
            .as_string()
            .ok_or_else(|| expected("`text` is a string", value))?;
        return Ok(Part::from(text));
    }
    media(&kind, value).map(Part::Media)
}

fn media(kind: &str, json: &Json) -> Result<Media> {
    let known: &[&str] = match kind {
        "input_audio" => &["data", "format"],
        "file" => &["file_data", "filename"],
        _ => &["url"],
    };
    let entries = entries(json, &format!("`{kind}`"))?;
    if let Some((key, _)) = entries.iter().find(|entry| !known.contains(&&*entry.0)) {
        return Err(wrong(format!(
            "a part of type `{kind}` cannot keep `{key}`"
        )));
    }
    let string = |key: &str| {
        let text = find(&entries, key).and_then(Json::as_string);
        text.ok_or_else(|| wrong(format!("a part of type `{kind}` has a string `{key}`")))
    };
    match kind {
        "input_audio" => {
            Media::audio_base64(format!("audio/{}", string("format")?), string("data")?)?.checked()
        }
        "file" => {
            let file = Media::from_url(MediaKind::File, &string("file_data")?)?;
            match find(&entries, "filename").filter(|name| name.shape() != Shape::Null) {
                Some(_) => Ok(file.with_name(string("filename")?)),
                None => Ok(file),
            }
        }
        "audio_url" => Media::from_url(MediaKind::Audio, &string("url")?),
        "video_url" => Media::from_url(MediaKind::Video, &string("url")?),
        _ => Media::from_url(MediaKind::Image, &string("url")?),
    }
}

fn find<'a>(entries: &'a [(String, Json)], key: &str) -> Option<&'a Json> {
    entries
        .iter()
        .find(|entry| entry.0 == key)
        .map(|entry| &entry.1)
}
