//! LFM2: a list of tools in the system message.

use super::chat::{ChatContent, ChatInput};
use super::python::{dumps, repr};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Json, Result, Role};
use prompt_family::tokens::lfm::{TOOLS, TOOLS_END};

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    out.write_start(chat);
    let system = chat.system();
    let text = system
        .map(|turn| out.text(0, &turn))
        .transpose()?
        .unwrap_or_default();
    let text = TextSlice::from(&text);
    let has_system = system.is_some() && out.has_text(0, text);
    let tools = chat.tools.as_deref().unwrap_or_default();
    if has_system || !tools.is_empty() {
        out.structure(delimiters.open);
        if has_system {
            out.finish_content(0, text);
        }
        if !tools.is_empty() {
            out.structure(if has_system { "\n" } else { "" });
            out.structure("List of tools: ");
            out.structure(TOOLS);
            out.structure("[");
            for (index, tool) in tools.iter().enumerate() {
                out.structure(if index > 0 { ", " } else { "" });
                let text = tool.as_string().unwrap_or_else(|| dumps(tool, None));
                out.write_data(FieldOrigin::Tool(index), &text);
            }
            out.structure("]");
            out.structure(TOOLS_END);
        }
        out.structure(delimiters.close);
    }
    let skipped = usize::from(system.is_some());
    for (at, turn) in chat.turns().skip(skipped) {
        if out.has_own_calls(&turn) {
            out.turn_with_calls(at, &turn, ", ", python_arguments)?;
        } else if let (ChatContent::Json(_), false) = (turn.content(), out.is_strict()) {
            let tool = out.family.turns.tool.filter(|_| turn.has_role(Role::Tool));
            match tool {
                Some(tool) => out.structure(tool.open),
                None => out.open_turn(at, &turn),
            }
            out.write_json(at, &turn)?;
            out.close_answer(tool.map_or(delimiters.close, |tool| tool.close));
        } else {
            out.write_turn(at, &turn, false)?;
        }
    }
    out.write_end(chat);
    Ok(())
}

/// `day=1, place='Brest'`.
fn python_arguments(
    out: &mut FormatWriter<'_>,
    origin: FieldOrigin,
    arguments: &Json,
) -> Result<()> {
    let entries = arguments.entries().ok_or_else(|| {
        let error = out.unsupported("a call has arguments that are not an object");
        error.with_help("give them as an object")
    })?;
    for (index, (name, value)) in entries.iter().enumerate() {
        out.structure(if index > 0 { ", " } else { "" });
        out.write_name(origin, name)?;
        out.structure("=");
        out.write_data(origin, &repr(value));
    }
    Ok(())
}
