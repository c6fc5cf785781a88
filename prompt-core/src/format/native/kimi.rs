//! Kimi K2: tools declared in front.

use std::collections::VecDeque;

use super::chat::{ChatCall, ChatInput, ChatMessage, ContentItem};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Json, MediaKind, Result, Role};
use prompt_family::CallNumbers;
use prompt_family::tokens::kimi::{MIDDLE, SYSTEM, TOOLS};

pub(crate) fn write_chat(
    chat: &ChatInput<'_>,
    numbers: CallNumbers,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    if let Some(tools) = chat.tools.as_ref().filter(|tools| !tools.is_empty()) {
        out.structure(TOOLS);
        out.write_data(FieldOrigin::Tool(0), &dumps(&Json::list(tools), None));
        out.structure(turns.system.delimiters.close);
    }
    out.default_system(chat);
    let has_break = numbers == CallNumbers::InConversation && turns.reasoning.is_none();
    if has_break && chat.system().is_none() {
        // This revision of the template has a line break after its own system message.
        out.structure("\n");
    }
    let answered = first_answer(chat);
    let mut calls = OpenCalls {
        numbers,
        count: 0,
        open: VecDeque::new(),
    };
    for (at, turn) in chat.turns() {
        match (turn.role(), turns.tool) {
            (Some(Role::Assistant), _) => {
                let keeps_reasoning = answered.is_none_or(|answered| at > answered);
                write_answer(at, &turn, keeps_reasoning, &mut calls, out)?;
            }
            (Some(Role::Tool), Some(tool)) => {
                out.structure(tool.open);
                out.structure("## Return of ");
                calls.write_id_of_result(at, &turn, out)?;
                out.finish_content(at, TextSlice::from(&out.printed_text(at, &turn)?));
            }
            (Some(Role::System | Role::User), _) => {
                out.open_turn(at, &turn);
                write_content(at, &turn, out)?;
            }
            _ if out.is_strict() => return Err(out.unsupported_role(at, &turn)),
            // The first template prints the content with no delimiter before it.
            _ => {
                if numbers == CallNumbers::InConversation {
                    out.structure(SYSTEM);
                    out.role(at, turn.role_name(), false);
                    out.structure(MIDDLE);
                }
                write_content(at, &turn, out)?;
            }
        }
        out.structure(turns.user.close);
        out.end_answer();
    }
    out.write_end(chat);
    Ok(())
}

/// The first answer without calls: the reasoning of later messages is written.
fn first_answer(chat: &ChatInput<'_>) -> Option<usize> {
    let is_answer = |turn: &ChatMessage<'_>| turn.has_role(Role::Assistant) && !turn.has_calls();
    let mut turns = chat.turns();
    turns.find(|(_, turn)| is_answer(turn)).map(|(at, _)| at)
}

/// The calls that have no result yet.
struct OpenCalls {
    numbers: CallNumbers,
    /// The number of calls before.
    count: usize,
    open: VecDeque<(ChatCall, usize)>,
}

impl OpenCalls {
    /// The number of a call.
    fn number(&mut self, index: usize, call: &ChatCall) -> usize {
        if self.numbers == CallNumbers::InMessage {
            return index;
        }
        self.count += 1;
        self.open.push_back((call.clone(), self.count - 1));
        self.count - 1
    }

    /// Writes the id of the call that a result answers.
    fn write_id_of_result(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        out: &mut FormatWriter<'_>,
    ) -> Result<()> {
        let origin = FieldOrigin::CallId(at);
        if self.numbers == CallNumbers::InMessage {
            out.write_name(origin, turn.call_id().unwrap_or_default())?;
            out.structure("\\n");
            return Ok(());
        }
        let call = self.open.pop_front();
        let is_answered = call
            .as_ref()
            .is_some_and(|(call, _)| call.is_answered_by(turn));
        if out.is_strict() && !is_answered {
            // The template takes the next call for it, whatever the id of the result is.
            let what = "is not the result of the next call";
            let help = "give the results in the order of the calls, with their ids";
            return Err(out.unsupported_message(at, turn, what, help));
        }
        let name = call.as_ref().map_or("unknown", |(call, _)| &call.name);
        let number = call.as_ref().map_or(self.count, |(_, number)| *number);
        out.structure("functions.");
        out.write_name(origin, name)?;
        out.structure(&format!(":{number}\n"));
        Ok(())
    }
}

fn write_answer(
    at: usize,
    turn: &ChatMessage<'_>,
    keeps_reasoning: bool,
    open_calls: &mut OpenCalls,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let calls = &out.family.turns.calls;
    out.open_answer();
    if let Some((open, close)) = out.family.turns.reasoning {
        out.structure(open);
        if let Some(reasoning) = turn.reasoning().filter(|_| keeps_reasoning) {
            out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
        }
        out.structure(close);
    }
    if !turn.has_calls() {
        return write_content(at, turn, out);
    }
    let text = out.printed_text(at, turn)?;
    if out.has_text(at, TextSlice::from(&text)) {
        out.finish_content(at, TextSlice::from(&text));
    }
    out.structure(calls.section_open);
    for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
        let origin = FieldOrigin::Call(at, index);
        out.structure(calls.open);
        out.write_name(origin, &call.name)?;
        let number = open_calls.number(index, call);
        out.structure(&format!(":{number}"));
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
            ContentItem::Media(kind, _) if out.takes_media(*kind) => out.write_media(at, *kind),
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
