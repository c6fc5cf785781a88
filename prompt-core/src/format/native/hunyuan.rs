//! Hy3: all system messages in front with the tools and the reasoning effort, and the arguments of calls between tags.

use super::chat::{ChatInput, ChatMessage};
use super::python::dumps;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Result, Role};
use prompt_family::tokens::hunyuan::REASONING_MODE;

const TOOLS: &str = "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>\n";
const CALLS: &str = "\n</tools>\n\nFor function call returns, you should first print <tool_calls:opensource>\nFor each function call, you should return object like:\n<tool_call:opensource>{function-name}<tool_sep:opensource>\n<arg_key:opensource>{arg-key-1}</arg_key:opensource>\n<arg_value:opensource>{arg-value-1}</arg_value:opensource>\n<arg_key:opensource>{arg-key-2}</arg_key:opensource>\n<arg_value:opensource>{arg-value-2}</arg_value:opensource>\n...\n</tool_call:opensource>\nAt the end of function call returns, you should print </tool_calls:opensource>";

/// The effort that turns reasoning off.
const OFF: &str = "no_think";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let effort = effort_of(out)?;
    write_head(chat, effort, out)?;
    let tool = turns.tool.unwrap_or(turns.user);
    let has_tools = chat.tools.as_ref().is_some_and(|tools| !tools.is_empty());
    let keeps_all = out.keep_reasoning().unwrap_or(has_tools);
    let question = chat.last_user();
    // The block of results is opened once after each message with calls.
    let (mut is_new, mut is_open) = (true, false);
    for (at, turn) in chat.turns() {
        let role = turn.role();
        if is_open && matches!(role, Some(Role::User | Role::Assistant)) {
            out.structure(tool.close);
            is_open = false;
        }
        match role {
            Some(Role::User) => {
                out.structure(turns.user.open);
                out.finish_content(at, TextSlice::from(&out.visible_text(at, &turn)?));
                out.structure(turns.user.close);
            }
            Some(Role::Assistant) => {
                is_new |= turn.has_calls();
                let is_recent = question.is_none_or(|question| at > question);
                let is_last = at + 1 == chat.len();
                write_assistant(at, &turn, (keeps_all || is_recent, is_last), chat, out)?;
            }
            Some(Role::Tool) => {
                let (open, close) = turns.results.unwrap_or_default();
                out.structure(if is_new { tool.open } else { "" });
                (is_new, is_open) = (false, true);
                out.structure(open);
                out.finish_content(at, TextSlice::from(&out.visible_text(at, &turn)?));
                out.structure(close);
            }
            _ => {}
        }
    }
    out.structure(if is_open { tool.close } else { "" });
    let is_answered = chat
        .last()
        .is_some_and(|turn| turn.has_role(Role::Assistant));
    if out.has_generation_prompt() && !is_answered {
        let (_, end) = turns.reasoning.unwrap_or_default();
        out.structure(turns.generation_prompt());
        out.structure(if effort == OFF { end } else { "" });
    }
    Ok(())
}

/// The reasoning effort, which is off unless it is set.
fn effort_of<'o>(out: &FormatWriter<'o>) -> Result<&'o str> {
    match out.requested_effort(true)?.unwrap_or(OFF) {
        known @ ("high" | "low" | OFF) => Ok(known),
        other => {
            let what = format!("the reasoning effort is `{}`", other.escape_debug());
            let help = format!("use `high`, `low` or `{OFF}`");
            Err(out.unsupported(&what).with_help(help))
        }
    }
}

/// All system messages, the tools, and the reasoning effort.
fn write_head(chat: &ChatInput<'_>, effort: &str, out: &mut FormatWriter<'_>) -> Result<()> {
    out.write_start(chat);
    let mut has_text = false;
    for (at, turn) in chat.turns().filter(|(_, turn)| turn.has_role(Role::System)) {
        let text = out.visible_text(at, &turn)?;
        let text = TextSlice::from(&text);
        has_text |= out.has_text(at, text);
        out.finish_content(at, text);
    }
    let tools = chat.tools.as_deref().unwrap_or_default();
    if !tools.is_empty() {
        out.structure(if has_text { "\n\n" } else { "" });
        out.structure(TOOLS);
        for (index, tool) in tools.iter().enumerate() {
            out.structure(if index > 0 { "\n" } else { "" });
            out.write_data(FieldOrigin::Tool(index), &dumps(tool, None));
        }
        out.structure(CALLS);
    }
    out.structure(REASONING_MODE);
    out.structure("reasoning_effort:");
    out.structure(effort);
    Ok(())
}

fn write_assistant(
    at: usize,
    turn: &ChatMessage<'_>,
    (keeps_reasoning, is_last): (bool, bool),
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.reasoning.unwrap_or_default();
    let text = out.visible_text(at, turn)?;
    out.open_answer();
    out.structure(open);
    if let Some(reasoning) = turn.reasoning().filter(|_| keeps_reasoning) {
        out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
    }
    out.structure(close);
    out.finish_content(at, TextSlice::from(&text));
    let calls = turn.tool_calls().unwrap_or_default();
    if calls.is_empty() {
        let last_close = turns.assistant.last_close.filter(|_| is_last);
        out.close_answer(last_close.unwrap_or(turns.assistant.close));
        return Ok(());
    }
    out.structure(turns.calls.section_open);
    out.write_tagged_calls(at, turn, chat)?;
    out.structure(turns.calls.section_close);
    out.close_answer(turns.assistant.close);
    Ok(())
}
