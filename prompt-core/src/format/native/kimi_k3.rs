//! Kimi K3: elements with attributes, tools and the reasoning effort in system messages, and results in the order of their calls.

use super::chat::{ChatCall, ChatInput, ChatMessage};
use super::python::dumps;
use super::writer::{FieldOrigin, FormatWriter, ItemTrim, TextSlice};
use crate::json::Shape;
use crate::{Json, Result, Role};
use prompt_base::json::{Escapes, push_string};
use prompt_family::EffortText;
use prompt_family::tokens::kimi::{K3_END, K3_JSON, K3_JSON_END, OPEN, RESPONSE_END, SEP};

const EFFORTS: [EffortText; 3] = [
    EffortText::new("low", "low"),
    EffortText::new("high", "high"),
    EffortText::new("max", "max"),
];
const EFFORT: &str = "`thinking_effort` guides on how much to think in your thinking channel (not including the response channel), supported values include `low`, `medium`, `high`, and `max`.\nNow the system is invoked with `thinking_effort=";
const TOOLS: &str = "# Tools\nHere are the available tools, described in JSONSchema.\n\n```json\n";
const TOOLS_END: &str = "\n```";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let thinks = out.options.thinking != Some(false);
    let effort = out.effort_text(&EFFORTS, thinks)?;
    out.write_start(chat);
    let (declare, think) = (turns.also_read[0].1, turns.also_read[1].1);
    if let Some(tools) = chat.tools.as_ref().filter(|tools| !tools.is_empty()) {
        out.structure(declare);
        out.structure(TOOLS);
        let mut text = String::new();
        write_sorted(&Json::list(tools), &mut text);
        out.write_data(FieldOrigin::Tool(0), &text);
        out.structure(TOOLS_END);
        out.structure(K3_END);
    }
    if thinks {
        out.structure(think);
        out.structure(EFFORT);
        out.structure(if effort.is_empty() { "max" } else { effort });
        out.structure("`.");
        out.structure(K3_END);
    }
    let mut results = Results::default();
    for (at, turn) in chat.turns() {
        match turn.role() {
            Some(Role::User | Role::System) => {
                open_message(at, &turn, out);
                write_content(at, &turn, out)?;
                out.structure(K3_END);
            }
            Some(Role::Assistant) => {
                results = Results {
                    calls: turn.tool_calls().unwrap_or_default().to_vec(),
                    count: 0,
                };
                write_answer(at, &turn, thinks, chat, out)?;
            }
            Some(Role::Tool) if chat.ends_of_results(at).0 => results.write(at, chat, out)?,
            // It was written with the first result.
            Some(Role::Tool) => {}
            _ if out.is_strict() => return Err(out.unsupported_role(at, &turn)),
            _ => {}
        }
    }
    match thinks {
        true => out.write_end(chat),
        false if out.has_generation_prompt() => {
            out.structure(turns.assistant.open);
            out.structure(turns.no_reasoning);
        }
        false => {}
    }
    Ok(())
}

/// Writes the beginning of a message, with the name of its author if it has one.
fn open_message(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) {
    let turns = &out.family.turns;
    let open = match turn.role() {
        Some(Role::System) => turns.system.delimiters.open,
        Some(Role::User) => turns.user.open,
        _ => turns.assistant.open,
    };
    let name = turn.extra("name").and_then(Json::as_string);
    match name.filter(|name| !name.is_empty()) {
        None => out.structure(open),
        Some(name) => {
            out.structure(open.trim_end_matches(SEP));
            out.structure(" name=\"");
            out.write_data(FieldOrigin::Role(at), &super::tagged::attribute(&name));
            out.structure("\"");
            out.structure(SEP);
        }
    }
}

fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    match turn.items() {
        Some(_) => out.write_items(at, turn, ItemTrim::Nothing),
        None => {
            let text = out.text(at, turn)?;
            out.finish_content(at, TextSlice::from(&text));
            Ok(())
        }
    }
}

fn write_answer(
    at: usize,
    turn: &ChatMessage<'_>,
    thinks: bool,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    open_message(at, turn, out);
    if thinks {
        let (open, close) = turns.reasoning.unwrap_or_default();
        out.structure(open);
        out.begin_answer();
        let reasoning = turn
            .reasoning()
            .filter(|text| !text.as_str().trim().is_empty());
        if let Some(reasoning) = reasoning {
            out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
        }
        out.structure(close);
    } else {
        out.structure(turns.no_reasoning);
        out.begin_answer();
    }
    write_content(at, turn, out)?;
    if !turn.has_calls() {
        out.close_answer(turns.assistant.close);
        return Ok(());
    }
    out.structure(RESPONSE_END);
    out.structure(turns.calls.section_open);
    for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
        let text = call.arguments.as_string().filter(|_| !out.is_strict());
        match text.filter(|text| !text.trim().is_empty()) {
            // The template writes arguments that are a string as they are.
            Some(text) => {
                let origin = FieldOrigin::Call(at, index);
                out.open_tagged_call(origin, index, call)?;
                out.structure(K3_JSON);
                out.write_data(origin, &text);
                out.structure(K3_JSON_END);
                out.structure(turns.calls.close);
            }
            None => out.write_tagged_call((at, turn), (index, call), chat)?,
        }
    }
    out.structure(turns.calls.section_close);
    out.close_answer(K3_END);
    Ok(())
}

/// The results of the last message with calls.
#[derive(Default)]
struct Results {
    calls: Vec<ChatCall>,
    /// How many were written.
    count: usize,
}

impl Results {
    /// Writes the results in a row that begin here: in the order of their calls if each has the id of one.
    fn write(&mut self, at: usize, chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
        let row = chat.turns().skip(at);
        let row: Vec<_> = row
            .take_while(|(_, turn)| turn.has_role(Role::Tool))
            .collect();
        let has_id = |call: &ChatCall, turn: &ChatMessage<'_>| {
            call.id.is_some() && call.id.as_deref() == turn.call_id()
        };
        let is_resolved = |turn: &ChatMessage<'_>| self.calls.iter().any(|call| has_id(call, turn));
        if row.iter().all(|(_, turn)| is_resolved(turn)) {
            let calls = std::mem::take(&mut self.calls);
            let mut ids = std::collections::BTreeSet::new();
            for call in calls.iter().filter(|call| ids.insert(&call.id)) {
                for (at, turn) in row.iter().filter(|(_, turn)| has_id(call, turn)) {
                    self.write_result(*at, turn, &call.name, out)?;
                }
            }
            self.calls = calls;
            return Ok(());
        }
        for (at, turn) in &row {
            let call = self.calls.get(self.count);
            if out.is_strict() && !call.is_some_and(|call| call.is_answered_by(turn)) {
                let what = "is not the result of a call in the message before it";
                let help = "give each call an id of its own, and the result the id of its call";
                return Err(out.unsupported_message(*at, turn, what, help));
            }
            let name = turn.extra("tool").or_else(|| turn.extra("name"));
            let name = name.and_then(Json::as_string);
            let name = name.or_else(|| call.map(|call| call.name.clone()));
            let name = name.ok_or_else(|| {
                let what = "is a result without the name of its tool";
                out.unsupported_message(*at, turn, what, "put it after a message that calls tools")
            })?;
            self.write_result(*at, turn, &name, out)?;
        }
        Ok(())
    }

    fn write_result(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        name: &str,
        out: &mut FormatWriter<'_>,
    ) -> Result<()> {
        self.count += 1;
        let open = out.family.turns.tool.map_or(OPEN, |tool| tool.open);
        out.structure(open);
        out.structure(" tool=\"");
        out.write_name(FieldOrigin::CallId(at), name)?;
        out.structure(&format!("\" index=\"{}\"", self.count));
        out.structure(SEP);
        write_content(at, turn, out)?;
        out.structure(K3_END);
        Ok(())
    }
}

/// JSON without spaces, whose keys are in the order of their lowercase letters.
fn write_sorted(value: &Json, out: &mut String) {
    match value.shape() {
        Shape::Object => {
            let mut entries = value.entries().unwrap_or_default();
            entries.sort_by_cached_key(|(key, _)| key.to_lowercase());
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                push_string(out, key, Escapes::Required);
                out.push(':');
                write_sorted(value, out);
            }
            out.push('}');
        }
        Shape::Array => {
            out.push('[');
            for (index, item) in value.items().unwrap_or_default().iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                write_sorted(item, out);
            }
            out.push(']');
        }
        _ => out.push_str(&dumps(value, None)),
    }
}
