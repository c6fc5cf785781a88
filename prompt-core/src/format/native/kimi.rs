//! Kimi K2: tools declared in front.

use super::chat::{ChatInput, ChatMessage, ContentItem};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Json, MediaKind, Result, Role};
use prompt_family::tokens::kimi::TOOLS;

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    if let Some(tools) = chat.tools.as_ref().filter(|tools| !tools.is_empty()) {
        out.structure(TOOLS);
        out.write_data(FieldOrigin::Tool(0), &dumps(&Json::list(tools), None));
        out.structure(turns.system.delimiters.close);
    }
    out.default_system(chat);
    for (at, turn) in chat.turns() {
        match (turn.role(), turns.tool) {
            (Some(Role::Assistant), _) if turn.has_calls() => {
                out.open_answer();
                write_calls(at, &turn, out)?;
            }
            (Some(Role::Tool), Some(tool)) => {
                out.structure(tool.open);
                out.structure("## Return of ");
                out.write_name(FieldOrigin::CallId(at), turn.call_id().unwrap_or_default())?;
                out.structure("\\n");
                out.finish_content(at, TextSlice::from(&out.printed_text(at, &turn)?));
            }
            (Some(Role::System | Role::User | Role::Assistant), _) => {
                out.open_turn(at, &turn);
                write_content(at, &turn, out)?;
            }
            _ if out.is_strict() => return Err(out.unsupported_role(at, &turn)),
            // The model's chat template prints the content with no delimiter before it.
            _ => write_content(at, &turn, out)?,
        }
        out.structure(turns.user.close);
        out.end_answer();
    }
    out.write_end(chat);
    Ok(())
}

fn write_calls(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let calls = &out.family.turns.calls;
    let text = out.printed_text(at, turn)?;
    if out.has_text(at, TextSlice::from(&text)) {
        out.finish_content(at, TextSlice::from(&text));
    }
    out.structure(calls.section_open);
    for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
        let origin = FieldOrigin::Call(at, index);
        out.structure(calls.open);
        out.write_name(origin, &call.name)?;
        out.structure(&format!(":{index}"));
        out.structure(calls.middle);
        out.write_data(origin, &dumps(&out.arguments(call), None));
        out.structure(calls.close);
    }
    out.structure(calls.section_close);
    Ok(())
}

fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let Some(items) = turn.items() else {
        out.finish_content(at, TextSlice::from(&out.text(at, turn)?));
        return Ok(());
    };
    let last = items
        .iter()
        .rposition(|item| matches!(item, ContentItem::Text(_)));
    for (index, item) in items.iter().enumerate() {
        match item {
            ContentItem::Text(text) if Some(index) == last => {
                out.finish_content(at, TextSlice::from(text));
            }
            ContentItem::Text(text) => out.slice(FieldOrigin::Content(at), TextSlice::from(text)),
            ContentItem::Media(kind, _) if out.takes(*kind) => out.write_media(at, *kind),
            ContentItem::Other(json)
                if json.get("image").is_some() || json.get("image_url").is_some() =>
            {
                out.write_media(at, MediaKind::Image);
            }
            ContentItem::Other(json) if !out.is_strict() => {
                let text = json.get("text").map(|text| display(&text));
                out.write_data(FieldOrigin::Content(at), &text.unwrap_or_default());
            }
            ContentItem::Media(..) if !out.is_strict() => {}
            ContentItem::Media(kind, _) => return Err(out.media_error(at, turn, *kind)),
            ContentItem::Other(_) => return Err(out.part_error(at, turn)),
        }
    }
    Ok(())
}
