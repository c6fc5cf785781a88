//! Reading conversations from JSON. What cannot be kept is an error, so that nothing is dropped.

use super::check_pairs;
use crate::json::{Shape, repeated_key};
use crate::message::role_named;
use crate::{
    Error, ErrorKind, Json, Media, MediaKind, Message, Part, Result, Role, Text, ToolCall,
};

pub(super) fn parse_turns(json: &Json) -> Result<Vec<Message>> {
    let items = json.items().ok_or_else(|| not_a_list(json))?;
    let mut turns = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let result = match item.shape() {
            Shape::Array => parse_pair(item).map(|pair| turns.extend(pair)),
            Shape::Object => parse_message(item).map(|message| turns.push(message)),
            _ => Err(expected_error("a turn is a pair or a message", item)),
        };
        result.map_err(|error| error.inside(&format!("history[{index}]")))?;
    }
    if items.iter().all(|item| item.shape() == Shape::Array) {
        check_pairs(&turns)?;
    }
    Ok(turns)
}

fn history_error(message: String) -> Error {
    Error::new(ErrorKind::History, message)
}

fn expected_error(rule: &str, json: &Json) -> Error {
    history_error(format!("{rule}, and this is {}", json.shape().name()))
}

/// The help names the list that an object contains, such as the messages of a request.
fn not_a_list(json: &Json) -> Error {
    let error = expected_error("history is a list", json);
    let entries = json.entries().unwrap_or_default();
    match entries.iter().find(|(_, value)| value.shape() == Shape::Array) {
        Some((key, _)) => error.with_help(format!(
            "give the list alone: `History::from_json(&json[{key:?}])?`, with `json: serde_json::Value`"
        )),
        None => error,
    }
}

fn parse_pair(json: &Json) -> Result<[Message; 2]> {
    let items = json.items().unwrap_or_default();
    let [user, assistant] = &items[..] else {
        let length = items.len();
        return Err(history_error(format!(
            "a pair is `[user, assistant]`, and the length of this is {length}"
        )));
    };
    let text = |json: &Json| {
        json.as_string()
            .ok_or_else(|| expected_error("a pair holds two strings", json))
    };
    Ok([
        Message::user(text(user)?),
        Message::assistant(text(assistant)?),
    ])
}

/// The entries of what has to be an object, each key once.
fn parse_entries(json: &Json, what: &str) -> Result<Vec<(String, Json)>> {
    let entries = json
        .entries()
        .ok_or_else(|| expected_error(&format!("{what} is an object"), json))?;
    match repeated_key(&entries) {
        None => Ok(entries),
        Some(key) => Err(history_error(format!("{what} has the key `{key}` twice"))),
    }
}

/// Reads one message in the shape of OpenAI's API.
pub(super) fn parse_message(json: &Json) -> Result<Message> {
    let entries = parse_entries(json, "a message")?;
    let mut role = None;
    let mut content = false;
    let mut message = Message::new(Role::User, Text::new());
    for (key, value) in &entries {
        let string = || {
            value
                .as_string()
                .ok_or_else(|| expected_error(&format!("`{key}` is a string"), value))
        };
        match &**key {
            "role" => role = Some(role_named(&string()?)?),
            _ if value.shape() == Shape::Null => {}
            "content" => {
                message.parts = parse_parts(value)?;
                content = true;
            }
            "tool_calls" => message.tool_calls = parse_calls(value)?,
            "tool_call_id" => message.tool_call_id = Some(string()?),
            "name" => message.name = Some(string()?),
            // Servers call it by several names; one is enough.
            "reasoning_content" | "reasoning" | "thinking" => {
                let text = string()?;
                let known = message.reasoning.as_ref();
                if known.is_some_and(|known| known.as_str() != text) {
                    return Err(history_error("the message has two reasonings".to_owned()));
                }
                message = message.with_reasoning(text);
            }
            _ => {
                return Err(history_error(format!("a message has no key `{key}`")).with_help(
                    "write `{\"role\": \"user\", \"content\": \"…\"}`, the form of OpenAI's chat API",
                ));
            }
        }
    }
    let Some(role) = role else {
        return Err(history_error("the message has no `role`".to_owned()));
    };
    if role != Role::Assistant && !message.tool_calls.is_empty() {
        return Err(history_error(format!(
            "only the assistant calls tools, and this is a {role} message"
        )));
    }
    if role != Role::Assistant && message.reasoning.is_some() {
        return Err(history_error(format!(
            "only the assistant reasons, and this is a {role} message"
        )));
    }
    if !content && message.tool_calls.is_empty() {
        return Err(history_error("the message has no `content`".to_owned()));
    }
    Ok(Message { role, ..message })
}

fn parse_calls(json: &Json) -> Result<Vec<ToolCall>> {
    let items = json
        .items()
        .ok_or_else(|| expected_error("`tool_calls` is a list", json))?;
    Json::parse_items(&items, "tool_calls", ToolCall::from_json)
}

fn parse_parts(json: &Json) -> Result<Vec<Part>> {
    if let Some(text) = json.as_string() {
        // An empty string is content too, `null` is not.
        return Ok(vec![Part::from(text)]);
    }
    let items = json
        .items()
        .ok_or_else(|| expected_error("`content` is a string or a list of parts", json))?;
    Json::parse_items(&items, "content", parse_part)
}

/// Reads one item of `content`: `{"type": kind, kind: …}`.
fn parse_part(json: &Json) -> Result<Part> {
    let entries = parse_entries(json, "a part")?;
    let kind = find_entry(&entries, "type").and_then(Json::as_string);
    let kind = kind.ok_or_else(|| history_error("a part has a `type`".to_owned()))?;
    let is_known = matches!(
        &*kind,
        "text" | "image_url" | "audio_url" | "video_url" | "input_audio" | "file"
    );
    if !is_known {
        return Err(history_error(format!("there is no part of type `{kind}`")));
    }
    if let Some((key, _)) = entries
        .iter()
        .find(|entry| entry.0 != "type" && entry.0 != kind)
    {
        return Err(history_error(format!(
            "a part of type `{kind}` has no key `{key}`"
        )));
    }
    let missing = || history_error(format!("a part of type `{kind}` has a key `{kind}`"));
    let value = find_entry(&entries, &kind).ok_or_else(missing)?;
    if kind == "text" {
        let text = value
            .as_string()
            .ok_or_else(|| expected_error("`text` is a string", value))?;
        return Ok(Part::from(text));
    }
    parse_media(&kind, value).map(Part::Media)
}

fn parse_media(kind: &str, json: &Json) -> Result<Media> {
    let known: &[&str] = match kind {
        "input_audio" => &["data", "format"],
        "file" => &["file_data", "filename"],
        _ => &["url"],
    };
    let entries = parse_entries(json, &format!("`{kind}`"))?;
    if let Some((key, _)) = entries.iter().find(|entry| !known.contains(&&*entry.0)) {
        return Err(history_error(format!(
            "a part of type `{kind}` cannot keep `{key}`"
        )));
    }
    let string = |key: &str| {
        let text = find_entry(&entries, key).and_then(Json::as_string);
        text.ok_or_else(|| history_error(format!("a part of type `{kind}` has a string `{key}`")))
    };
    match kind {
        "input_audio" => {
            Media::audio_base64(format!("audio/{}", string("format")?), string("data")?)?
                .into_checked()
        }
        "file" => {
            let file = Media::from_url(MediaKind::File, &string("file_data")?)?;
            match find_entry(&entries, "filename").filter(|name| name.shape() != Shape::Null) {
                Some(_) => Ok(file.with_name(string("filename")?)),
                None => Ok(file),
            }
        }
        "audio_url" => Media::from_url(MediaKind::Audio, &string("url")?),
        "video_url" => Media::from_url(MediaKind::Video, &string("url")?),
        _ => Media::from_url(MediaKind::Image, &string("url")?),
    }
}

fn find_entry<'a>(entries: &'a [(String, Json)], key: &str) -> Option<&'a Json> {
    entries
        .iter()
        .find(|entry| entry.0 == key)
        .map(|entry| &entry.1)
}
