//! LFM2: a list of tools in the system message.

use super::chat::{Chat, Content};
use super::out::{Origin, Out};
use super::python::dumps;
use super::words::Words;
use crate::Result;
use crate::syntax::family::lfm::{TOOLS, TOOLS_END};

pub(crate) fn write(chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    out.start(chat);
    let system = chat.turns.first().filter(|turn| turn.is("system"));
    let text = system
        .map(|turn| out.text(0, turn))
        .transpose()?
        .unwrap_or_default();
    let text = Words::from(&text);
    let has_system = system.is_some() && out.has(0, text);
    let tools = chat.tools.as_deref().unwrap_or_default();
    if has_system || !tools.is_empty() {
        out.raw(delimiters.open);
        if has_system {
            out.say(0, text);
        }
        if !tools.is_empty() {
            out.raw(if has_system { "\n" } else { "" });
            out.raw("List of tools: ");
            out.raw(TOOLS);
            out.raw("[");
            for (index, tool) in tools.iter().enumerate() {
                out.raw(if index > 0 { ", " } else { "" });
                let text = tool.as_string().unwrap_or_else(|| dumps(tool, None));
                out.data(Origin::Tool(index), &text);
            }
            out.raw("]");
            out.raw(TOOLS_END);
        }
        out.raw(delimiters.close);
    }
    let skipped = usize::from(system.is_some());
    for (at, turn) in chat.turns.iter().enumerate().skip(skipped) {
        if let (Content::Json(_), false) = (&turn.content, out.is_strict()) {
            let tool = out.family.turns.tool.filter(|_| turn.is("tool"));
            match tool {
                Some(tool) => out.raw(tool.open),
                None => out.open_turn(at, &turn.role),
            }
            out.json(at, turn)?;
            out.raw(tool.map_or(delimiters.close, |tool| tool.close));
        } else {
            out.turn(at, turn, false)?;
        }
    }
    out.end(chat);
    Ok(())
}
