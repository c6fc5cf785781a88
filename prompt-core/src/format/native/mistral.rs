//! Mistral with tools: up to v3 the system message and the tools are in the last user message, from v11 on they are turns.

use super::chat::{ChatCall, ChatContent, ChatInput, ChatMessage, ContentItem};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::json::Shape;
use crate::{Error, Json, MediaKind, Result, Role};
use prompt_family::Trim;
use prompt_family::tokens::mistral::{CALL_ID, RESULT_CONTENT, TOOLS, TOOLS_END};

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns;
    let head = chat.system();
    let system = head.filter(|turn| !matches!(turn.content(), ChatContent::Absent));
    let skipped = usize::from(head.is_some());
    let turns = || chat.turns().skip(skipped);
    check_alternation(turns(), out)?;
    let last = chat.len() - 1;
    let last_user = turns().filter(|(_, turn)| turn.has_role(Role::User)).last();
    out.write_start(chat);
    for (at, turn) in turns() {
        match turn.role() {
            Some(Role::User) => {
                if let (Some(tools), true) = (&chat.tools, is_last_user(at, &turn, last_user, out))
                {
                    write_tools(tools, out)?;
                }
                let text = out.text(at, &turn)?;
                out.structure(delimiters.user.open);
                if let (Some(system), true) = (system, at == last) {
                    out.finish_content(0, TextSlice::from(&out.text(0, &system)?));
                    out.structure(delimiters.system.delimiters.close);
                }
                out.finish_content(at, TextSlice::from(&text));
                out.structure(delimiters.user.close);
            }
            _ if turn.call_count().is_some() => write_calls(at, &turn, out)?,
            Some(Role::Assistant) => out.write_turn(at, &turn, false)?,
            Some(Role::Tool) => write_result(at, &turn, out)?,
            None if turn.is_named("tool_results") => write_result(at, &turn, out)?,
            _ => return Err(out.unsupported_role(at, &turn)),
        }
    }
    Ok(())
}

fn check_alternation<'t>(
    turns: impl Iterator<Item = (usize, ChatMessage<'t>)>,
    out: &FormatWriter<'_>,
) -> Result<()> {
    let talk = turns.filter(|(_, turn)| {
        !(turn.has_role(Role::Tool) || turn.is_named("tool_results") || turn.call_count().is_some())
    });
    for (index, (at, turn)) in talk.enumerate() {
        if turn.has_role(Role::User) != (index % 2 == 0) {
            return Err(out.out_of_turn(at, &turn, index));
        }
    }
    Ok(())
}

/// The model's chat template compares messages, so every user message that equals the last one counts as it.
fn is_last_user(
    at: usize,
    turn: &ChatMessage<'_>,
    last: Option<(usize, ChatMessage<'_>)>,
    out: &FormatWriter<'_>,
) -> bool {
    last.is_some_and(|(index, other)| {
        index == at || (!out.is_strict() && !out.is_open(index) && *turn == other)
    })
}

fn write_tools(tools: &[Json], out: &mut FormatWriter<'_>) -> Result<()> {
    // The space, if there is one, is that after every other token.
    let opened = out.family.turns.user.open;
    out.structure(TOOLS);
    out.structure(&opened[opened.trim_end().len()..]);
    out.structure("[");
    for (index, tool) in tools.iter().enumerate() {
        let origin = FieldOrigin::Tool(index);
        let function = tool.get("function").and_then(|function| function.entries());
        let Some(function) = function else {
            return Err(out
                .unsupported(&format!("tool {index} has no `function`"))
                .with_help("write `{\"type\": \"function\", \"function\": {…}}`"));
        };
        out.structure("{\"type\": \"function\", \"function\": {");
        for (at, (key, value)) in function
            .iter()
            .filter(|entry| entry.0 != "return")
            .enumerate()
        {
            out.structure(if at > 0 { ", \"" } else { "\"" });
            out.write_data(origin, key);
            out.structure("\": ");
            // The model's chat template does not escape these strings.
            match value.as_string() {
                Some(text) => {
                    out.structure("\"");
                    out.write_data(origin, &text);
                    out.structure("\"");
                }
                None => out.write_data(origin, &dumps(value, None)),
            }
        }
        out.structure("}}");
        out.structure(if index + 1 < tools.len() { ", " } else { "]" });
    }
    out.structure(TOOLS_END);
    Ok(())
}

fn write_calls(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let calls = turn.tool_calls().unwrap_or_default();
    out.begin_answer();
    out.structure(out.family.turns.calls.section_open);
    out.structure("[");
    for (index, call) in calls.iter().enumerate() {
        let origin = FieldOrigin::Call(at, index);
        out.write_data(origin, &function_json(call, out));
        let Some(id) = call.id.as_deref().filter(|id| id.chars().count() == 9) else {
            return Err(call_without_id(at, turn, out));
        };
        out.structure(", \"id\": \"");
        out.write_name(origin, id)?;
        out.structure("\"}");
        out.structure(if index + 1 < calls.len() { ", " } else { "]" });
    }
    if !calls.is_empty() {
        out.structure(out.family.turns.assistant.close);
    }
    out.end_answer();
    Ok(())
}

fn write_result(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let inner = match turn.content() {
        ChatContent::Json(json) => json.get("content"),
        _ => None,
    };
    let (open, close) = out
        .family
        .turns
        .tool
        .map_or(("", ""), |tool| (tool.open, tool.close));
    out.structure(open);
    out.structure("{\"content\": ");
    match inner {
        Some(json) => out.write_data(FieldOrigin::Content(at), &display(&json)),
        None => out.finish_content(at, TextSlice::from(&out.printed_text(at, turn)?)),
    }
    let Some(id) = turn.call_id().filter(|id| id.chars().count() == 9) else {
        return Err(result_without_id(at, turn, out));
    };
    out.structure(", \"call_id\": \"");
    out.write_name(FieldOrigin::CallId(at), id)?;
    out.structure("\"}");
    out.structure(close);
    Ok(())
}

/// The function of a call as JSON, less its closing brace.
fn function_json(call: &ChatCall, out: &FormatWriter<'_>) -> String {
    let mut text = "{".to_owned();
    for (index, (key, value)) in call.function.iter().enumerate() {
        let value = match &**key {
            "arguments" if value.shape() == Shape::Str => dumps(&out.arguments(call), None),
            _ => dumps(value, None),
        };
        text.push_str(if index > 0 { ", " } else { "" });
        text.push_str(&format!("{}: {value}", super::python::quoted(key)));
    }
    text
}

/// V11: tools before the last user message, and calls with an id.
pub(crate) fn write_v11(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    check_alternation(turns_of(chat), out)?;
    let last_user = turns_of(chat)
        .filter(|(_, turn)| turn.has_role(Role::User))
        .last();
    write_system(chat, out)?;
    for (at, turn) in turns_of(chat) {
        if let Some(tools) = &chat.tools
            && is_last_user(at, &turn, last_user, out)
        {
            out.write_tool_list(tools);
        }
        match turn.role() {
            Some(Role::Assistant) => {
                out.begin_answer();
                write_text(at, &turn, out)?;
                for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
                    let Some(id) = call.id.as_deref().filter(|id| id.chars().count() == 9) else {
                        return Err(call_without_id(at, &turn, out));
                    };
                    write_call_v11(at, (index, call), Some(id), out)?;
                }
                out.close_answer(out.family.turns.assistant.close);
            }
            Some(Role::Tool) => write_result_v11(at, &turn, true, out)?,
            None if turn.is_named("tool_results") => write_result_v11(at, &turn, true, out)?,
            Some(Role::System) => {
                out.write_message(at, &turn, &out.family.turns.system.delimiters, false)?;
            }
            _ => out.write_turn(at, &turn, false)?,
        }
    }
    Ok(())
}

/// V13: tools before the first user message, reasoning, and calls without an id.
pub(crate) fn write_v13(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    check_alternation(turns_of(chat), out)?;
    write_system(chat, out)?;
    if let Some(tools) = chat.tools.as_ref().filter(|tools| !tools.is_empty()) {
        out.write_tool_list(tools);
    }
    for (at, turn) in turns_of(chat) {
        match turn.role() {
            Some(Role::User) => write_question_v13(at, &turn, out)?,
            Some(Role::Assistant) => write_answer_v13(at, &turn, out)?,
            Some(Role::Tool) => write_result_v11(at, &turn, false, out)?,
            Some(Role::System) => return Err(out.unsupported_role(at, &turn)),
            _ => out.write_turn(at, &turn, false)?,
        }
    }
    Ok(())
}

/// The messages after the system message.
fn turns_of<'c>(chat: &'c ChatInput<'_>) -> impl Iterator<Item = (usize, ChatMessage<'c>)> + Clone {
    chat.turns().skip(usize::from(chat.system().is_some()))
}

fn write_system(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    out.write_start(chat);
    if let Some(system) = chat.system() {
        out.structure(delimiters.open);
        out.write_system(&system, Trim::Nothing)?;
        out.structure(delimiters.close);
    }
    Ok(())
}

/// Writes the text of an answer.
fn write_text(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    out.write_content(at, turn, &out.family.turns.assistant)
}

/// Writes a message of the user. An image after a single text precedes it.
fn write_question_v13(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let items = turn.items().unwrap_or_default();
    let [
        ContentItem::Text(text),
        ContentItem::Media(MediaKind::Image, _),
    ] = &items[..]
    else {
        return out.write_turn(at, turn, false);
    };
    let delimiters = &out.family.turns.user;
    out.structure(delimiters.open);
    out.write_media(at, MediaKind::Image);
    out.finish_content(at, TextSlice::from(text));
    out.structure(delimiters.close);
    Ok(())
}

fn write_answer_v13(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let (open, close) = out.family.turns.reasoning.unwrap_or_default();
    let is_empty = match turn.content() {
        ChatContent::Absent => true,
        ChatContent::Text(text) => text.as_str().is_empty() && !out.is_open(at),
        _ => false,
    };
    if is_empty && !turn.has_calls() {
        let what = "has neither text nor calls";
        return Err(out.unsupported_message(at, turn, what, "leave the message out"));
    }
    out.begin_answer();
    // The chat templates beside the models read reasoning only from an item of a list.
    if let Some(reasoning) = turn.reasoning().filter(|_| out.is_strict()) {
        out.structure(open);
        out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
        out.structure(close);
    }
    write_text(at, turn, out)?;
    for call in turn.tool_calls().unwrap_or_default().iter().enumerate() {
        write_call_v11(at, call, None, out)?;
    }
    out.close_answer(out.family.turns.assistant.close);
    Ok(())
}

fn write_call_v11(
    at: usize,
    (index, call): (usize, &ChatCall),
    id: Option<&str>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let calls = &out.family.turns.calls;
    let origin = FieldOrigin::Call(at, index);
    out.structure(calls.open);
    out.write_name(origin, &call.name)?;
    if let Some(id) = id {
        out.structure(CALL_ID);
        out.write_name(origin, id)?;
    }
    out.structure(calls.middle);
    let arguments = out.arguments(call);
    let arguments = match arguments.as_string() {
        // V13's template writes a string as it is, and V11's as JSON.
        Some(text) if id.is_none() => text,
        _ => dumps(&arguments, None),
    };
    out.write_data(origin, &arguments);
    out.structure(calls.close);
    Ok(())
}

fn write_result_v11(
    at: usize,
    turn: &ChatMessage<'_>,
    has_id: bool,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let tool = out.family.turns.tool;
    let (open, close) = tool.map_or(("", ""), |tool| (tool.open, tool.close));
    out.structure(open);
    if has_id {
        let id = turn.call_id().filter(|id| id.chars().count() == 9);
        let id = id.ok_or_else(|| result_without_id(at, turn, out))?;
        out.write_name(FieldOrigin::CallId(at), id)?;
        out.structure(RESULT_CONTENT);
    }
    out.finish_content(at, TextSlice::from(&out.printed_text(at, turn)?));
    out.structure(close);
    Ok(())
}

fn call_without_id(at: usize, turn: &ChatMessage<'_>, out: &FormatWriter<'_>) -> Error {
    let what = "calls a tool without an id of nine characters";
    out.unsupported_message(at, turn, what, "give each call such an id")
}

fn result_without_id(at: usize, turn: &ChatMessage<'_>, out: &FormatWriter<'_>) -> Error {
    let what = "answers a call without an id of nine characters";
    out.unsupported_message(at, turn, what, "give the call and its result such an id")
}
