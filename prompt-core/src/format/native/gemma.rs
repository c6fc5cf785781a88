//! Gemma 3: the system message stands in the first user turn; images are known.

use super::Style;
use super::chat::{Chat, Content, Item, Turn};
use super::out::Out;
use super::read::Reading;
use super::words::Words;
use crate::Result;

pub(crate) struct Gemma;

impl Style for Gemma {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        out.raw("<bos>");
        let mut turns = chat.turns.iter().enumerate().peekable();
        let system = turns
            .next_if(|(_, turn)| turn.is("system"))
            .map(|(_, turn)| turn);
        for (index, (at, turn)) in turns.enumerate() {
            if turn.is("user") != (index % 2 == 0) {
                return Err(out.out_of_turn(at, turn, index));
            }
            out.raw("<start_of_turn>");
            match &*turn.role {
                "assistant" => out.raw("model"),
                role => out.role(at, role),
            }
            out.raw("\n");
            if let (Some(system), 0) = (system, index) {
                prefix(system, out)?;
                out.raw("\n\n");
            }
            content(at, turn, out)?;
            out.raw("<end_of_turn>\n");
        }
        if out.answers() {
            out.raw("<start_of_turn>model\n");
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading {
            named: Some(("<start_of_turn>", "\n", "<end_of_turn>\n")),
            ..Reading::default()
        }
    }
}

/// The model's own template reads a system message that is a list only up to its first item.
fn prefix(system: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
    match system.items().filter(|_| !out.is_strict()) {
        Some(items) => {
            if let Some(Item::Text(text)) = items.first() {
                out.say(0, Words::from(text));
            }
        }
        None => out.say(0, Words::from(&out.text(0, system)?)),
    }
    Ok(())
}

fn content(at: usize, turn: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
    match turn.items() {
        Some(_) => out.items(at, turn, "<start_of_image>", true),
        None if matches!(turn.content, Content::Absent) => Ok(()),
        None => {
            let text = out.text(at, turn)?;
            out.say(at, Words::from(&text).strip());
            Ok(())
        }
    }
}
