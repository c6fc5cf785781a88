//! Step 3.5: tools as JSON in the system message, the arguments of calls between tags, and reasoning that is always written after
//! the last question.

use super::chat::{ChatInput, ChatMessage};
use super::python::dumps;
use super::qwen3_5::last_question;
use super::writer::{FieldOrigin, FormatWriter, ItemTrim, TextSlice};
use crate::{Result, Role};

const TOOLS: &str =
    "# Tools\n\nYou have access to the following functions in JSONSchema format:\n\n<tools>";
const CALLS: &str = "\n</tools>\n\nIf you choose to call a function ONLY reply in the following format with NO suffix:\n\n<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n<parameter=example_parameter_2>\nThis is the value for the second parameter\nthat can span\nmultiple lines\n</parameter>\n</function>\n</tool_call>\n\n<IMPORTANT>\nReminder:\n- Function calls MUST follow the specified format: an inner <function=...>\n...\n</function> block must be nested within <tool_call>\n...\n</tool_call> XML tags\n- Required parameters MUST be specified\n</IMPORTANT>";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    out.write_start(chat);
    write_head(chat, out)?;
    let question = last_question(chat, |text| text, out).unwrap_or(chat.len() - 1);
    for (at, turn) in chat.turns() {
        match turn.role() {
            Some(Role::System) if at == 0 => {}
            Some(Role::User | Role::System) => {
                out.open_turn(at, &turn);
                write_content(at, &turn, out)?;
                out.structure(turns.user.close);
            }
            Some(Role::Assistant) => write_assistant(at, &turn, at > question, chat, out)?,
            Some(Role::Tool) => write_result(at, &turn, chat, out)?,
            _ => {}
        }
    }
    out.write_end(chat);
    Ok(())
}

/// The system message, with the tools in it.
fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let tools = chat.tools.as_deref().unwrap_or_default();
    let system = chat.system();
    if tools.is_empty() && system.is_none() {
        return Ok(());
    }
    out.structure(delimiters.open);
    if let Some(system) = system {
        write_content(0, &system, out)?;
    }
    if !tools.is_empty() {
        out.structure(if system.is_some() { "\n\n" } else { "" });
        out.structure(TOOLS);
        for (index, tool) in tools.iter().enumerate() {
            out.structure("\n");
            out.write_data(FieldOrigin::Tool(index), &dumps(tool, None));
        }
        out.structure(CALLS);
    }
    out.structure(delimiters.close);
    Ok(())
}

/// Writes a content, with a placeholder for each image.
fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    if turn.items().is_some() {
        return out.write_items(at, turn, ItemTrim::Nothing);
    }
    let text = out.text(at, turn)?;
    out.finish_content(at, TextSlice::from(&text));
    Ok(())
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
    let whole = out.text(at, turn)?;
    let (reasoning, text) = out.reasoning_in(at, turn, TextSlice::from(&whole));
    out.open_answer();
    if is_recent {
        out.structure(open);
        if let Some((origin, reasoning)) = reasoning {
            out.slice(origin, reasoning);
        }
        out.structure(close);
    }
    out.finish_content(at, text);
    out.write_tagged_calls(at, turn, chat)?;
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
    let (is_first, is_last) = chat.ends_of_results(at);
    out.structure(if is_first { tool.open } else { "" });
    out.structure(open);
    write_content(at, turn, out)?;
    out.structure(close);
    out.structure(if is_last { tool.close } else { "" });
    Ok(())
}
