//! Olmo 3: tools in every system message, and calls in Python.

use super::chat::{ChatInput, ChatMessage};
use super::python::dumps;
use super::writer::{FormatWriter, TextSlice};
use crate::{Result, Role};

/// The rest of the default system message, with tools and without them.
const WITH_TOOLS: &str = "You are provided with function signatures within <functions></functions> XML tags. You may call one or more functions to assist with the user query. Output any function calls within <function_calls></function_calls> XML tags. Do not make assumptions about what values to plug into functions.";
const WITHOUT_TOOLS: &str =
    "You do not currently have access to any functions. <functions></functions>";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let system = &turns.system;
    let tools = chat.tools.as_deref().unwrap_or_default();
    if !chat.turns().any(|(_, turn)| turn.has_role(Role::System)) {
        out.structure(system.delimiters.open);
        out.structure(system.default.text().unwrap_or_default());
        out.structure(if tools.is_empty() {
            WITHOUT_TOOLS
        } else {
            WITH_TOOLS
        });
        if !tools.is_empty() {
            out.write_tool_list(tools);
        }
        out.structure(system.delimiters.close);
    }
    let last = chat.len() - 1;
    for (at, turn) in chat.turns() {
        match turn.role() {
            Some(Role::System) => {
                out.structure(system.delimiters.open);
                out.finish_content(at, TextSlice::from(&out.text(at, &turn)?));
                if !tools.is_empty() {
                    out.write_tool_list(tools);
                }
                out.structure(system.delimiters.close);
            }
            Some(Role::Assistant) => {
                write_answer(at, &turn, out)?;
                let last_close = turns.assistant.last_close.filter(|_| at == last);
                out.close_answer(last_close.unwrap_or(turns.assistant.close));
            }
            _ => out.write_turn(at, &turn, false)?,
        }
    }
    out.write_end(chat);
    Ok(())
}

fn write_answer(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    out.open_answer();
    out.finish_content(at, TextSlice::from(&out.text(at, turn)?));
    if turn.has_calls() {
        out.write_call_section(at, turn, "\n", |out, origin, arguments| {
            out.python_arguments(origin, arguments, |_, value| Ok(dumps(value, None)))
        })?;
    }
    Ok(())
}
