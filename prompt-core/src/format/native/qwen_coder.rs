//! Qwen 3 Coder: tools and the arguments of calls between tags.

use super::chat::{ChatInput, ChatMessage};
use super::python::{display, dumps};
use super::qwen::{close_result, is_result};
use super::qwen3_5::CALLS;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::json::Shape;
use crate::{Json, Result, Role};
use prompt_family::tokens::qwen::CODER_SYSTEM;

const TOOLS: &str = "\n\n# Tools\n\nYou have access to the following functions:\n\n<tools>";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    out.write_system_with_tools(chat, CODER_SYSTEM, |out, tools| {
        out.structure(TOOLS);
        write_tools(tools, &[], &[], out);
        out.structure(CALLS);
    })?;
    for (at, turn) in chat.turns().skip(usize::from(chat.system().is_some())) {
        match turn.role() {
            Some(Role::Assistant) if turn.has_calls() => write_calls(at, &turn, chat, out)?,
            Some(Role::Tool) => write_result(at, &turn, chat, out)?,
            _ => out.write_turn(at, &turn, false)?,
        }
    }
    out.write_end(chat);
    Ok(())
}

/// Writes a result in the user's turn, which the first of several opens.
pub(super) fn write_result(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, _) = turns.results.unwrap_or_default();
    let first = usize::from(chat.system().is_some());
    if at > first && !is_result(chat.turn(at - 1)) {
        out.structure(turns.user.open);
    }
    out.structure(open);
    out.finish_content(at, TextSlice::from(&out.printed_text(at, turn)?));
    close_result(at, chat, out);
    Ok(())
}

/// Writes tools as tags. The keys `early` of a parameter follow its description, and the keys `late` of the parameters end them;
/// all other keys are written in their order.
pub(super) fn write_tools(
    tools: &[Json],
    early: &[&str],
    late: &[&str],
    out: &mut FormatWriter<'_>,
) {
    for (index, tool) in tools.iter().enumerate() {
        let function = tool.get("function").unwrap_or_else(|| tool.clone());
        write_tool(FieldOrigin::Tool(index), &function, (early, late), out);
    }
}

fn write_tool(
    origin: FieldOrigin,
    function: &Json,
    (early, late): (&[&str], &[&str]),
    out: &mut FormatWriter<'_>,
) {
    out.structure("\n<function>");
    write_entry(origin, "name", displayed(function, "name"), out);
    write_entry(origin, "description", trimmed(function, "description"), out);
    out.structure("\n<parameters>");
    let parameters = function.get("parameters");
    let properties = parameters
        .as_ref()
        .and_then(|json| json.get("properties")?.entries());
    for (name, parameter) in properties.unwrap_or_default() {
        out.structure("\n<parameter>");
        write_entry(origin, "name", Some(name), out);
        write_entry(origin, "type", displayed(&parameter, "type"), out);
        write_entry(
            origin,
            "description",
            trimmed(&parameter, "description"),
            out,
        );
        write_entries(origin, &parameter, early, out);
        let written = [&KEYS[..], early].concat();
        write_other_entries(origin, &parameter, &written, out);
        out.structure("\n</parameter>");
    }
    if let Some(parameters) = parameters {
        let written = [&["type", "properties"], late].concat();
        write_other_entries(origin, &parameters, &written, out);
        write_entries(origin, &parameters, late, out);
    }
    out.structure("\n</parameters>");
    let written = ["type", "name", "description", "parameters"];
    write_other_entries(origin, function, &written, out);
    out.structure("\n</function>");
}

fn displayed(json: &Json, key: &str) -> Option<String> {
    json.get(key).map(|value| display(&value))
}

fn trimmed(json: &Json, key: &str) -> Option<String> {
    Some(displayed(json, key)?.trim().to_owned())
}

/// The keys that the template itself writes as tags.
const KEYS: [&str; 3] = ["name", "type", "description"];

/// A key and its value between two tags, if there is a value.
fn write_entry(origin: FieldOrigin, key: &str, value: Option<String>, out: &mut FormatWriter<'_>) {
    let Some(value) = value else { return };
    let write_key = |out: &mut FormatWriter<'_>| match KEYS.contains(&key) {
        true => out.structure(key),
        false => out.write_data(origin, key),
    };
    out.structure("\n<");
    write_key(out);
    out.structure(">");
    out.write_data(origin, &value);
    out.structure("</");
    write_key(out);
    out.structure(">");
}

/// The entries of an object with these keys.
fn write_entries(origin: FieldOrigin, json: &Json, keys: &[&str], out: &mut FormatWriter<'_>) {
    for key in keys {
        write_entry(origin, key, json.get(key).map(|value| printed(&value)), out);
    }
}

/// A list or an object as JSON, and the rest as Python prints it.
fn printed(value: &Json) -> String {
    match value.shape() {
        Shape::Object | Shape::Array => dumps(value, None),
        _ => display(value),
    }
}

/// The entries of an object whose keys are not in this list.
fn write_other_entries(
    origin: FieldOrigin,
    json: &Json,
    keys: &[&str],
    out: &mut FormatWriter<'_>,
) {
    for (key, value) in json.entries().unwrap_or_default() {
        if !keys.contains(&&*key) {
            write_entry(origin, &key, Some(printed(&value)), out);
        }
    }
}

fn write_calls(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let text = out.only_text(at, turn)?;
    let text = TextSlice::from(&text).strip();
    out.open_answer();
    if out.has_text(at, text) {
        out.finish_content(at, text);
        out.structure("\n\n");
    }
    for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
        out.structure(if index > 0 { "\n" } else { "" });
        out.write_tagged_call((at, turn), (index, call), chat)?;
    }
    out.close_answer(out.family.turns.assistant.close);
    Ok(())
}
