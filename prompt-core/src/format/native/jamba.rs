//! Jamba: the system message is always there, with the tools at its end.

use super::chat::{ChatContent, ChatInput, ChatMessage};
use super::python::dumps;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Result, Role};
use prompt_family::tokens::jamba::{TOOLS, TOOLS_END};

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    out.write_start(chat);
    write_head(chat, out)?;
    for (at, turn) in chat.turns().skip(usize::from(chat.system().is_some())) {
        out.open_turn(at, &turn);
        if let Some(name) = turn.name() {
            out.structure("(");
            out.write_name(FieldOrigin::Role(at), &name)?;
            out.structure(")");
        }
        if turn.has_role(Role::Assistant) {
            write_answer(at, &turn, out)?;
        } else {
            write_content(at, &turn, out)?;
            out.structure(turns.user.close);
        }
    }
    out.write_end(chat);
    Ok(())
}

/// Writes a content. The template prints one that is not a text as JSON.
fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    match turn.content() {
        ChatContent::Json(json) if !out.is_strict() => {
            if json.is_truthy() {
                out.write_data(FieldOrigin::Content(at), &dumps(json, None));
            }
        }
        _ => {
            let text = out.text(at, turn)?;
            out.finish_content(at, TextSlice::from(&text));
        }
    }
    Ok(())
}

/// The system message, which is always there, with the tools in it.
fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let tools = chat.tools.as_deref().unwrap_or_default();
    out.structure(delimiters.open);
    let system = chat.system();
    let text = system.map(|turn| out.printed_text(0, &turn)).transpose()?;
    let text = text.unwrap_or_default();
    let text = TextSlice::from(&text);
    let has_text = system.is_some() && out.has_text(0, text);
    if has_text {
        out.finish_content(0, text);
    }
    if !tools.is_empty() {
        out.structure(if has_text { "\n\n" } else { "" });
        out.structure(TOOLS);
        out.structure("\n# Tools\n\n## Functions");
        for (index, tool) in tools.iter().enumerate() {
            let function = tool.get("function").unwrap_or_else(|| tool.clone());
            out.structure("\n\n");
            out.write_data(FieldOrigin::Tool(index), &dumps(&function, Some(2)));
        }
        out.structure("\n");
        out.structure(TOOLS_END);
    }
    out.structure(delimiters.close);
    Ok(())
}

fn write_answer(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let is_strict = out.is_strict();
    if turn.has_calls() {
        let text = out.text(at, turn)?;
        out.slice(FieldOrigin::Content(at), TextSlice::from(&text));
        out.write_call_section(at, turn, ",\n", |out, origin, arguments| {
            // The template writes arguments that are a string as they are.
            let text = arguments.as_string().filter(|_| !is_strict);
            out.write_data(origin, &text.unwrap_or_else(|| dumps(arguments, None)));
            Ok(())
        })?;
        out.seal_open_message(at);
    } else {
        write_content(at, turn, out)?;
    }
    out.close_answer(out.family.turns.assistant.close);
    Ok(())
}
