//! What strict writing refuses: whatever was given and is not said.

use super::chat::{Chat, Content, Item, Turn};
use super::options::End;
use super::out::Out;
use crate::format::answered;
use crate::python::is_whitespace;
use crate::{Error, Json, Result};

/// Nothing but an answer can follow the last message, and tools have names.
pub(crate) fn end(chat: &Chat<'_>, out: &Out<'_>) -> Result<()> {
    let at = chat.turns.len() - 1;
    if out.answers() && chat.turns[at].is("assistant") {
        return Err(answered(at));
    }
    chat.tools
        .iter()
        .flatten()
        .try_for_each(|tool| out.check_word(&name_of(tool)))
}

fn name_of(tool: &Json) -> String {
    let function = tool.get("function");
    let name = function.as_ref().unwrap_or(tool).get("name");
    name.and_then(|name| name.as_string()).unwrap_or_default()
}

/// Everything that was given stands in the text.
pub(crate) fn said(chat: &Chat<'_>, out: &Out<'_>) -> Result<()> {
    if let Some(tool) = chat
        .tools
        .iter()
        .flatten()
        .next()
        .filter(|_| !out.says_tools())
    {
        let name = name_of(tool);
        let help = "use a chat API, which takes tools beside the messages, or a layout with tools";
        return Err(out
            .whole(&format!("the tool `{name}` is offered"))
            .with_help(help));
    }
    for (at, turn) in chat.turns.iter().enumerate() {
        if !out.says(at) && has_text(turn) {
            return Err(unsaid(at, turn, chat, out));
        }
        // A family that keeps reasoning leaves it out of earlier turns by a rule of its own.
        let is_last = at + 1 == chat.turns.len();
        if turn.reasoning().is_some_and(|text| !text.is_empty())
            && (!out.family.reasoning || (is_last && !out.says_reasoning(at)))
        {
            let help = "leave the reasoning out, or use a format of a model that thinks";
            return Err(out.cannot(at, turn, "holds reasoning", help));
        }
        for call in 0..turn.calls().map_or(0, <[_]>::len) {
            if !out.says_call(at, call) && !out.is_open(at) {
                let what = if call == 0 {
                    "calls tools"
                } else {
                    "calls more than one tool"
                };
                return Err(out.cannot(at, turn, what, "use a chat API, or leave the calls out"));
            }
        }
    }
    Ok(())
}

fn unsaid(at: usize, turn: &Turn<'_>, chat: &Chat<'_>, out: &Out<'_>) -> Error {
    match &*turn.role {
        "system" if chat.turns.len() == 1 => {
            out.cannot(at, turn, "stands alone", "add a user message")
        }
        "system" if at == 0 => out.cannot(
            at,
            turn,
            "would be left out here",
            "end with a user message, or put the instructions into one",
        ),
        "assistant" if turn.has_calls() => out.cannot(
            at,
            turn,
            "holds text beside a tool call",
            "leave the text out",
        ),
        _ => out.role_error(at, turn),
    }
}

fn has_text(turn: &Turn<'_>) -> bool {
    match &turn.content {
        Content::Absent => false,
        Content::Text(text) => !text.as_str().trim_matches(is_whitespace).is_empty(),
        Content::Parts(parts) => !parts.is_empty(),
        Content::Json(_) => true,
    }
}

/// The last message can be gone on with: it ends the text, whole.
pub(crate) fn open(chat: &Chat<'_>, out: &Out<'_>) -> Result<()> {
    if out.options.end != End::Open {
        return Ok(());
    }
    let at = chat.turns.len() - 1;
    let turn = &chat.turns[at];
    let text = match (&turn.content, turn.items()) {
        (Content::Text(text), _) => Some(text.as_str().to_owned()),
        (_, Some(items)) => items.iter().rev().find_map(|item| match item {
            Item::Text(text) => Some(text.as_str().to_owned()),
            _ => None,
        }),
        _ => None,
    };
    let is_whole = text.is_some_and(|text| out.so_far().contains(text.trim_matches(is_whitespace)));
    if out.is_sealed() && is_whole {
        return Ok(());
    }
    let what = "cannot be gone on with: it does not stand whole at the end of the text";
    Err(out.cannot(at, turn, what, "close it, or end with another message"))
}
