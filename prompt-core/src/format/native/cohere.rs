//! Cohere 2: the instructions of the conversation after the family's own.

use super::chat::{ChatInput, ChatMessage};
use super::writer::{FormatWriter, TextSlice};
use crate::{Result, Role};
use prompt_family::tokens::cohere::DEVELOPER;

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let delimiters = &turns.system.delimiters;
    let mut systems = chat.turns().filter(|(_, turn)| turn.has_role(Role::System));
    let system = systems.next();
    let is_instruction = |turn: &ChatMessage<'_>| {
        let is_same = system.is_some_and(|(_, system)| system.content() == turn.content());
        turn.has_role(Role::System) && is_same
    };
    out.write_start(chat);
    out.structure(delimiters.open);
    out.structure(turns.system.default.text().unwrap_or_default());
    let mut has_instructions = false;
    if let Some((at, turn)) = system {
        let text = out.printed_text(at, &turn)?;
        let text = TextSlice::from(&text);
        has_instructions = out.has_text(at, text);
        if has_instructions {
            out.structure(DEVELOPER);
            out.finish_content(at, text);
        }
    }
    out.structure(delimiters.close);
    let mut index = 0;
    for (at, turn) in chat.turns() {
        if has_instructions && is_instruction(&turn) {
            continue;
        }
        if matches!(turn.role(), Some(Role::User | Role::Assistant)) {
            if turn.has_role(Role::User) != (index % 2 == 0) {
                return Err(out.out_of_turn(at, &turn, index));
            }
            index += 1;
        }
        match turn.role() {
            Some(Role::Assistant) => {
                out.open_answer();
                out.finish_content(at, TextSlice::from(&out.printed_text(at, &turn)?));
                out.close_answer(turns.assistant.close);
            }
            Some(Role::User | Role::System) => {
                out.open_turn(at, &turn);
                out.finish_content(at, TextSlice::from(&out.printed_text(at, &turn)?));
                out.structure(delimiters.close);
            }
            _ if out.is_strict() => return Err(out.unsupported_role(at, &turn)),
            // The model's chat template leaves the content of other roles out.
            _ => {
                let open = delimiters.open.split_inclusive('>').next();
                out.structure(open.unwrap_or_default());
                out.structure(delimiters.close);
            }
        }
    }
    out.write_end(chat);
    Ok(())
}
