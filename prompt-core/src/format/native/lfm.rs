//! LFM2 and LFM2.5: a list of tools in the system message, and calls in Python.

use super::chat::{ChatContent, ChatInput, ChatMessage};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::json::Shape;
use crate::{Json, Result, Role};
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
    for (at, turn) in chat.turns().skip(usize::from(chat.system().is_some())) {
        let tool = turns.tool.filter(|_| turn.has_role(Role::Tool));
        match (turn.role(), tool) {
            (Some(Role::Assistant), _) => {
                out.open_answer();
                let is_recent = question.is_none_or(|question| at > question);
                write_answer(at, &turn, is_recent, out)?;
                let is_called = match out.is_strict() || turns.tool.is_some() {
                    true => turn.has_calls(),
                    // The template of LFM2.5 writes an empty list too.
                    false => turn.call_count().is_some(),
                };
                if is_called {
                    write_calls(at, &turn, strings, out)?;
                }
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
    let system = chat.system();
    let text = system
        .map(|turn| out.text(0, &turn))
        .transpose()?
        .unwrap_or_default();
    let text = TextSlice::from(&text);
    let has_system = system.is_some() && out.has_text(0, text);
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

/// Writes a content. The template of LFM2 prints one that is not a text as JSON.
fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let prints_json = turns.tool.is_some() && !out.is_strict();
    match turn.content() {
        ChatContent::Json(_) if prints_json => out.write_json(at, turn),
        ChatContent::Absent if prints_json => {
            out.structure("null");
            Ok(())
        }
        _ => out.write_content(at, turn, &turns.user),
    }
}

fn write_answer(
    at: usize,
    turn: &ChatMessage<'_>,
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
