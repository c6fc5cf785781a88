//! MiniMax M2: tools in the system message, and the arguments of calls between tags.

use std::borrow::Cow;

use super::chat::{ChatContent, ChatInput, ChatMessage};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice, sorted_tags};
use crate::{Json, Result, Role, Text};

const TOOLS: &str = "\n\n# Tools\nYou may call one or more tools to assist with the user query.\nHere are the tools available in JSONSchema format:\n\n<tools>\n";
const CALLS: &str = "</tools>\n\nWhen making tool calls, use XML format to invoke tools and pass parameters:\n\n<minimax:tool_call>\n<invoke name=\"tool-name-1\">\n<parameter name=\"param-key-1\">param-value-1</parameter>\n<parameter name=\"param-key-2\">param-value-2</parameter>\n...\n</invoke>\n</minimax:tool_call>";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    out.write_start(chat);
    write_head(chat, out)?;
    let question = chat.last_user();
    let mut is_called = false;
    for (at, turn) in chat.turns().skip(usize::from(chat.system().is_some())) {
        match turn.role() {
            Some(Role::User) => {
                out.structure(turns.user.open);
                let text = printed_text(at, &turn, out)?;
                out.finish_content(at, TextSlice::from(&text));
                out.structure(turns.user.close);
            }
            Some(Role::Assistant) => {
                is_called = turn.has_calls();
                let is_recent = question.is_none_or(|question| at > question);
                write_assistant(at, &turn, is_recent, chat, out)?;
            }
            Some(Role::Tool) if is_called => write_result(at, &turn, chat, out)?,
            Some(Role::Tool) => {
                let what = "is a tool result without a call before it";
                let help = "put it after a message that calls tools";
                return Err(out.unsupported_message(at, &turn, what, help));
            }
            _ if out.is_strict() => return Err(out.unsupported_role(at, &turn)),
            _ => {}
        }
    }
    out.write_end(chat);
    Ok(())
}

/// The text of a content. The template prints an absent one as Python does.
fn printed_text<'t>(
    at: usize,
    turn: &ChatMessage<'t>,
    out: &FormatWriter<'_>,
) -> Result<Cow<'t, Text>> {
    match turn.content() {
        ChatContent::Absent if !out.is_strict() => Ok(Cow::Owned("None".into())),
        _ => out.visible_text(at, turn),
    }
}

/// The system message, which is always there, with the tools in it.
fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let system = &out.family.turns.system;
    let tools = chat.tools.as_deref().unwrap_or_default();
    out.structure(system.delimiters.open);
    let given = chat.system();
    let text = given.map(|turn| out.visible_text(0, &turn)).transpose()?;
    let text = text.unwrap_or_default();
    let text = TextSlice::from(&text);
    match (&out.options.identity, system.default.text()) {
        _ if given.is_some() && out.has_text(0, text) => out.finish_content(0, text),
        (Some(identity), _) => out.write_data(FieldOrigin::Option, identity),
        (None, default) => out.structure(default.unwrap_or_default()),
    }
    if !tools.is_empty() {
        write_tools(tools, out)?;
        out.structure(CALLS);
    }
    out.structure(system.delimiters.close);
    Ok(())
}

/// Writes the beginning of the instructions about tools, and the definitions as JSON, each in an element `<tool>`.
pub(super) fn write_tools(tools: &[Json], out: &mut FormatWriter<'_>) -> Result<()> {
    out.structure(TOOLS);
    out.write_with_tags(&sorted_tags(&["tool"]), |out| {
        for (index, tool) in tools.iter().enumerate() {
            let function = tool.get("function").unwrap_or_else(|| tool.clone());
            out.structure("<tool>");
            out.write_data(FieldOrigin::Tool(index), &dumps(&function, None));
            out.structure("</tool>\n");
        }
        Ok(())
    })
}

fn write_assistant(
    at: usize,
    turn: &ChatMessage<'_>,
    is_recent: bool,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.reasoning.unwrap_or_default();
    let whole = printed_text(at, turn, out)?;
    let (reasoning, text) = out.reasoning_in(at, turn, TextSlice::from(&whole));
    let text = match reasoning {
        Some((FieldOrigin::Content(_), _)) => text.strip_lines(),
        _ => text,
    };
    out.open_answer();
    if let Some((origin, reasoning)) = reasoning.filter(|(_, text)| is_recent && !text.is_empty()) {
        out.structure(open);
        out.slice(origin, reasoning);
        out.structure(close);
    }
    out.finish_content(at, text);
    let calls = turn.tool_calls().unwrap_or_default();
    if !calls.is_empty() {
        out.structure(turns.calls.section_open);
        out.write_tagged_calls(at, turn, chat)?;
        out.structure(turns.calls.section_close);
    }
    out.close_answer(turns.assistant.close);
    Ok(())
}

fn write_result(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.results.unwrap_or_default();
    let tool = turns.tool.unwrap_or(turns.user);
    let (token, line) = tool.open.split_at(tool.open.trim_end().len());
    let (is_first, is_last) = chat.ends_of_results(at);
    out.structure(if is_first { token } else { "" });
    let list = match turn.content() {
        ChatContent::Json(json) if !out.is_strict() => json.items(),
        _ => None,
    };
    match list {
        None => {
            out.structure(line);
            out.structure(open);
            out.finish_content(at, TextSlice::from(&out.text(at, turn)?));
            out.structure(close);
        }
        Some(items) => {
            for item in items {
                let shown = item.get("output").or_else(|| item.get("text"));
                out.structure(line);
                out.structure(open);
                out.write_data(FieldOrigin::Content(at), &display(&shown.unwrap_or(item)));
                out.structure(line);
                out.structure(close);
            }
        }
    }
    out.structure(if is_last { tool.close } else { "" });
    Ok(())
}
