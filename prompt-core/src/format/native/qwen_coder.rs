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
    write_head(chat, out)?;
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

fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let tools = chat.tools.as_deref().unwrap_or_default();
    let system = chat.system();
    if tools.is_empty() && system.is_none() {
        return Ok(());
    }
    out.structure(delimiters.open);
    match system {
        Some(turn) => out.finish_content(0, TextSlice::from(&out.text(0, &turn)?)),
        None => out.structure(CODER_SYSTEM),
    }
    if !tools.is_empty() {
        out.structure(TOOLS);
        write_tools(tools, &[], &[], out);
        out.structure(CALLS);
    }
    out.structure(delimiters.close);
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
    write_entry(
        origin,
        "name",
        &function.get("name").map(|name| display(&name)),
        out,
    );
    write_entry(
        origin,
        "description",
        &trimmed_text(function, "description"),
        out,
    );
    out.structure("\n<parameters>");
    let parameters = function.get("parameters");
    let properties = parameters
        .as_ref()
        .and_then(|json| json.get("properties")?.entries());
    for (name, parameter) in properties.unwrap_or_default() {
        out.structure("\n<parameter>");
        write_entry(origin, "name", &Some(name), out);
        write_entry(
            origin,
            "type",
            &parameter.get("type").map(|kind| display(&kind)),
            out,
        );
        write_entry(
            origin,
            "description",
            &trimmed_text(&parameter, "description"),
            out,
        );
        write_entries(origin, &parameter, early, out);
        let written = [&["name", "type", "description"], early].concat();
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

fn trimmed_text(json: &Json, key: &str) -> Option<String> {
    Some(display(&json.get(key)?).trim().to_owned())
}

/// A key and its value between two tags, if there is a value.
fn write_entry(origin: FieldOrigin, key: &str, value: &Option<String>, out: &mut FormatWriter<'_>) {
    if let Some(value) = value {
        for (text, is_data) in [
            ("\n<", false),
            (key, true),
            (">", false),
            (value, true),
            ("</", false),
            (key, true),
            (">", false),
        ] {
            match is_data {
                true => out.write_data(origin, text),
                false => out.structure(text),
            }
        }
    }
}

/// The entries of an object with these keys.
fn write_entries(origin: FieldOrigin, json: &Json, keys: &[&str], out: &mut FormatWriter<'_>) {
    for key in keys {
        write_entry(
            origin,
            key,
            &json.get(key).map(|value| printed(&value)),
            out,
        );
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
            write_entry(origin, &key, &Some(printed(&value)), out);
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
