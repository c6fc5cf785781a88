//! LFM2 and LFM2.5: a list of tools in the system message, and calls in Python.

use super::chat::{ChatContent, ChatInput, ChatMessage, ContentItem};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::json::Shape;
use crate::{Json, MediaKind, Result, Role};
use prompt_family::CallStrings;

pub(crate) fn write_chat(
    chat: &ChatInput<'_>,
    strings: CallStrings,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    out.write_start(chat);
    write_head(chat, out)?;
    let question = chat.last_user();
    let keeps_all = out.keep_reasoning() == Some(true);
    for (at, turn) in chat.turns().skip(usize::from(chat.system().is_some())) {
        let tool = turns.tool.filter(|_| turn.has_role(Role::Tool));
        match (turn.role(), tool) {
            (Some(Role::Assistant), _) => {
                out.open_answer();
                let is_recent = keeps_all || question.is_none_or(|question| at > question);
                write_answer(at, &turn, strings, is_recent, out)?;
                if has_call_list(&turn, strings, out) {
                    write_calls(at, &turn, strings, out)?;
                }
                out.seal_open_message(at);
            }
            (_, Some(tool)) => {
                out.structure(tool.open);
                write_content(at, &turn, out)?;
                out.structure(tool.close);
                continue;
            }
            _ => {
                out.open_turn(at, &turn);
                write_content(at, &turn, out)?;
            }
        }
        out.close_answer(turns.assistant.close);
    }
    out.write_end(chat);
    Ok(())
}

/// The system message, with the tools in it.
fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let text = out.system_text(chat)?;
    let text = TextSlice::from(&text);
    let has_system = chat.system().is_some() && out.has_text(0, text);
    let tools = chat.tools.as_deref().unwrap_or_default();
    if !has_system && tools.is_empty() {
        return Ok(());
    }
    out.structure(delimiters.open);
    if has_system {
        out.finish_content(0, text);
    }
    if !tools.is_empty() {
        out.structure(if has_system { "\n" } else { "" });
        out.write_tool_list(tools);
    }
    out.structure(delimiters.close);
    Ok(())
}

/// Whether a list of calls is written. The template of LFM2.5 without images writes an empty one too.
fn has_call_list(turn: &ChatMessage<'_>, strings: CallStrings, out: &FormatWriter<'_>) -> bool {
    match strings {
        CallStrings::Bare if !out.is_strict() => turn.call_count().is_some(),
        _ => turn.has_calls(),
    }
}

/// Writes a content. The template of LFM2 prints one that is not a text as JSON.
fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let prints_json = turns.tool.is_some() && !out.is_strict();
    match turn.content() {
        ChatContent::Json(json) if out.family.media && !out.is_strict() => {
            write_printed(at, turn, json, out);
            Ok(())
        }
        ChatContent::Json(_) if prints_json => out.write_json(at, turn),
        ChatContent::Absent if prints_json => {
            out.structure("null");
            Ok(())
        }
        _ => out.write_content(at, turn, &turns.user),
    }
}

/// Writes a content that is not a text as the template of LFM2.5 VL prints it: what is neither text nor an image as JSON.
fn write_printed(at: usize, turn: &ChatMessage<'_>, json: &Json, out: &mut FormatWriter<'_>) {
    let (Some(parts), Some(items)) = (json.items(), turn.items()) else {
        return out.write_data(FieldOrigin::Content(at), &dumps(json, None));
    };
    let is_text = |item: &ContentItem<'_>| matches!(item, ContentItem::Text(_));
    let last = items.iter().rposition(is_text);
    for (index, (item, part)) in items.iter().zip(parts).enumerate() {
        match item {
            ContentItem::Text(text) if Some(index) == last => {
                out.finish_content(at, TextSlice::new(text));
            }
            ContentItem::Text(text) => out.slice(FieldOrigin::Content(at), TextSlice::new(text)),
            ContentItem::Media(kind @ MediaKind::Image, true) => out.write_media(at, *kind),
            _ => {
                let text = part.as_string().unwrap_or_else(|| dumps(&part, None));
                out.write_data(FieldOrigin::Content(at), &text);
            }
        }
    }
}

fn write_answer(
    at: usize,
    turn: &ChatMessage<'_>,
    strings: CallStrings,
    is_recent: bool,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let Some((open, close)) = out.family.turns.reasoning else {
        // The template takes this text beside a call for an absent one.
        let is_null = match turn.content() {
            ChatContent::Absent => true,
            ChatContent::Text(text) => text.as_str() == "null" && !out.is_open(at),
            _ => false,
        };
        let is_text = !matches!(turn.content(), ChatContent::Absent);
        return match turn.has_calls() && is_null {
            true if is_text && out.is_strict() => {
                let what = "holds the text `null` beside a tool call";
                Err(out.unsupported_message(at, turn, what, "leave the text out"))
            }
            true => Ok(()),
            false => write_content(at, turn, out),
        };
    };
    let reasoning = turn.reasoning().filter(|text| !text.as_str().is_empty());
    if let Some(reasoning) = reasoning.filter(|_| is_recent) {
        out.structure(open);
        out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
        out.structure(close);
    }
    match turn.content() {
        ChatContent::Text(text) if !is_recent && text.as_str().contains(close) => {
            out.omit_content(at);
            out.finish_content(at, TextSlice::new(text).after_last(close).strip());
            Ok(())
        }
        // A message with calls stays open after them.
        ChatContent::Text(text) if has_call_list(turn, strings, out) => {
            out.slice(FieldOrigin::Content(at), TextSlice::new(text));
            Ok(())
        }
        _ => write_content(at, turn, out),
    }
}

fn write_calls(
    at: usize,
    turn: &ChatMessage<'_>,
    strings: CallStrings,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    out.write_call_section(at, turn, ", ", |out, origin, arguments| {
        out.python_arguments(origin, arguments, |out, value| {
            match (value.as_string(), strings) {
                (Some(text), CallStrings::Escaped) => Ok(escape_string(&text)),
                (Some(text), CallStrings::Bare) => {
                    if out.is_strict() && text.contains(['\'', '\\', '\n', '\r']) {
                        return Err(unescaped_string_error(at, turn, value, out));
                    }
                    Ok(format!("'{text}'"))
                }
                (None, CallStrings::Escaped)
                    if matches!(value.shape(), Shape::Object | Shape::Array) =>
                {
                    Ok(dumps(value, None))
                }
                (None, CallStrings::Bare) if value.shape() == Shape::Object => {
                    Ok(dumps(value, None))
                }
                _ => Ok(display(value)),
            }
        })
    })
}

/// A string as the templates escape it.
fn escape_string(text: &str) -> String {
    let text = text
        .replace('\\', "\\\\")
        .replace('\'', "\\'")
        .replace('\n', "\\n")
        .replace('\r', "\\r");
    format!("'{text}'")
}

fn unescaped_string_error(
    at: usize,
    turn: &ChatMessage<'_>,
    value: &Json,
    out: &FormatWriter<'_>,
) -> crate::Error {
    let what = format!(
        "calls a tool with the string {}, whose quotation mark, backslash or line break is not escaped",
        value.as_str()
    );
    let help = "use `lfm2_5_vl`, whose chat template escapes strings, or leave the call out";
    out.unsupported_message(at, turn, &what, help)
}
