//! Mistral with tools: the system message and the tools are in the last user message.

use super::chat::{ChatCall, ChatContent, ChatInput, ChatMessage};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::json::Shape;
use crate::{Json, Result, Role};
use prompt_family::tokens::mistral::{TOOLS, TOOLS_END};

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
            return Err(out.unsupported_message(
                at,
                turn,
                "calls a tool without an id of nine characters",
                "give each call such an id",
            ));
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
        return Err(out.unsupported_message(
            at,
            turn,
            "answers a call without an id of nine characters",
            "give the call and its result such an id",
        ));
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
