//! The checks of strict writing: everything that was given must be written.

use super::chat::{Chat, Content, Item, Turn};
use super::options::End;
use super::writer::FormatWriter;
use crate::format::answered;
use crate::python::is_whitespace;
use crate::{Error, Json, Result};

/// Nothing but an answer can follow the last message, and tools have names.
pub(crate) fn end(chat: &Chat<'_>, out: &FormatWriter<'_>) -> Result<()> {
    let at = chat.turns.len() - 1;
    if out.has_generation_prompt() && chat.turns[at].is("assistant") {
        return Err(answered(at));
    }
    chat.tools
        .iter()
        .flatten()
        .try_for_each(|tool| out.check_name(&name_of(tool)))
}

fn name_of(tool: &Json) -> String {
    let function = tool.get("function");
    let name = function.as_ref().unwrap_or(tool).get("name");
    name.and_then(|name| name.as_string()).unwrap_or_default()
}

/// Checks that everything that was given was written.
pub(crate) fn complete(chat: &Chat<'_>, out: &FormatWriter<'_>) -> Result<()> {
    if let Some(tool) = chat
        .tools
        .iter()
        .flatten()
        .next()
        .filter(|_| !out.wrote_tools())
    {
        let name = name_of(tool);
        let help = "use a chat API, which takes tools beside the messages, or a layout with tools";
        return Err(out
            .unsupported(&format!("the tool `{name}` is offered"))
            .with_help(help));
    }
    for (at, turn) in chat.turns.iter().enumerate() {
        if !out.wrote_content(at) && has_text(turn) {
            return Err(unwritten(at, turn, chat, out));
        }
        // A family that keeps reasoning leaves it out of earlier turns by a rule of its own.
        let is_last = at + 1 == chat.turns.len();
        if turn.reasoning().is_some_and(|text| !text.is_empty())
            && (!out.family.reasoning || (is_last && !out.wrote_reasoning(at)))
        {
            let help = "leave the reasoning out, or use a format of a model that thinks";
            return Err(out.unsupported_message(at, turn, "holds reasoning", help));
        }
        for call in 0..turn.calls().map_or(0, <[_]>::len) {
            if !out.wrote_call(at, call) && !out.is_open(at) {
                let what = if call == 0 {
                    "calls tools"
                } else {
                    "calls more than one tool"
                };
                return Err(out.unsupported_message(
                    at,
                    turn,
                    what,
                    "use a chat API, or leave the calls out",
                ));
            }
        }
    }
    Ok(())
}

fn unwritten(at: usize, turn: &Turn<'_>, chat: &Chat<'_>, out: &FormatWriter<'_>) -> Error {
    match &*turn.role {
        "system" if chat.turns.len() == 1 => {
            out.unsupported_message(at, turn, "is the only message", "add a user message")
        }
        "system" if at == 0 => out.unsupported_message(
            at,
            turn,
            "would be left out here",
            "end with a user message, or put the instructions into one",
        ),
        "assistant" if turn.has_calls() => out.unsupported_message(
            at,
            turn,
            "holds text beside a tool call",
            "leave the text out",
        ),
        _ => out.unsupported_role(at, turn),
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

/// Checks that a last message which is to be continued ends the text.
pub(crate) fn continued(chat: &Chat<'_>, out: &FormatWriter<'_>) -> Result<()> {
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
    let is_whole = text.is_some_and(|text| out.as_str().contains(text.trim_matches(is_whitespace)));
    if out.is_sealed() && is_whole {
        return Ok(());
    }
    let what = "cannot be continued: the text does not end with all of it";
    Err(out.unsupported_message(at, turn, what, "close it, or end with another message"))
}
