//! Phi-4 mini: a list of tools in the system message.

use super::chat::ChatInput;
use super::python::dumps;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Json, Result};
use prompt_family::tokens::phi::{TOOLS, TOOLS_END};

/// The model's chat template has tools only as a string in the system message and no calls, so that only strict writing has
/// both.
pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let tools = chat.tools.as_deref().filter(|_| out.is_strict());
    let tools = tools.filter(|tools| !tools.is_empty());
    let mut skipped = 0;
    out.write_start(chat);
    if let Some(tools) = tools {
        out.structure(delimiters.open);
        if let Some(turn) = chat.system() {
            out.finish_content(0, TextSlice::from(&out.text(0, &turn)?));
            skipped = 1;
        }
        out.structure(TOOLS);
        let function = |tool: &Json| tool.get("function").unwrap_or_else(|| tool.clone());
        let functions: Vec<Json> = tools.iter().map(function).collect();
        out.write_data(FieldOrigin::Tool(0), &dumps(&Json::list(&functions), None));
        out.structure(TOOLS_END);
        out.structure(delimiters.close);
    }
    for (at, turn) in chat.turns().skip(skipped) {
        if out.has_own_calls(&turn) {
            out.turn_with_calls(at, &turn, ", ", FormatWriter::json_arguments)?;
        } else {
            out.write_turn(at, &turn, false)?;
        }
    }
    out.write_end(chat);
    Ok(())
}
