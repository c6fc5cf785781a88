//! SmolVLM and Idefics 3: the names of roles as words, with a space only before text.

use super::chat::{ChatInput, ChatMessage, ContentItem};
use super::python::title;
use super::writer::{FieldOrigin, FormatWriter, ItemTrim, TextSlice};
use crate::{MediaKind, Result, Role};

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    out.write_start(chat);
    for (at, turn) in chat.turns() {
        let first = turn.items().and_then(|items| items.into_iter().next());
        // The template knows an image by the type `image` alone.
        let is_image = matches!(first, Some(ContentItem::Media(MediaKind::Image, plain)) if plain || out.is_strict());
        let open = |open: &'static str| if is_image { open.trim_end() } else { open };
        match turn.role() {
            Some(Role::System) => out.structure(open(turns.system.delimiters.open)),
            Some(Role::User) => out.structure(open(turns.user.open)),
            Some(Role::Assistant) => out.open_answer_with(open(turns.assistant.open)),
            _ if out.is_strict() => return Err(out.unsupported_role(at, &turn)),
            _ => {
                out.write_data(FieldOrigin::Role(at), &title(turn.role_name()));
                out.structure(open(": "));
            }
        }
        write_content(at, &turn, out)?;
        out.close_answer(turns.user.close);
    }
    out.write_end(chat);
    Ok(())
}

fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    if turn.items().is_some() {
        return out.write_items(at, turn, ItemTrim::Nothing);
    }
    let text = out.text(at, turn)?;
    out.finish_content(at, TextSlice::from(&text));
    Ok(())
}
