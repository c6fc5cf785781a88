//! Seed-OSS: tools as Python functions, and the arguments of calls between tags.

use super::chat::{ChatInput, ChatMessage};
use super::python::display;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Json, Result, Role};

const SYSTEM: &str = "You are Doubao, a helpful AI assistant. You may call one or more functions to assist with the user query.";
const CALLS: &str = "\n工具调用请遵循如下格式:\n<seed:tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>value_1</parameter>\n<parameter=example_parameter_2>This is the value for the second parameter\nthat can span\nmultiple lines</parameter>\n</function>\n</seed:tool_call>\n";
const NO_THINKING: &str = "You are an intelligent assistant that can answer questions in one step without the need for reasoning and thinking, that is, your thinking budget is 0. Next, please skip the thinking process and directly start answering the user's questions.\n";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let system = &turns.system.delimiters;
    let thinks = out.options.thinking != Some(false);
    out.write_system_with_tools(chat, SYSTEM, |out, tools| {
        for (index, tool) in tools.iter().enumerate() {
            let function = tool.get("function").unwrap_or_else(|| tool.clone());
            write_tool(FieldOrigin::Tool(index), &function, out);
        }
        out.structure(CALLS);
        Ok(())
    })?;
    if !thinks {
        out.structure(system.open);
        out.structure(NO_THINKING);
        out.structure(system.close);
    }
    for (at, turn) in chat.turns().skip(usize::from(chat.system().is_some())) {
        match turn.role() {
            Some(Role::Assistant) => write_assistant(at, &turn, chat, out)?,
            _ => out.write_turn(at, &turn, false)?,
        }
    }
    out.write_end(chat);
    if out.has_generation_prompt() && !thinks {
        out.structure(turns.no_reasoning);
    }
    Ok(())
}

/// A tool as a Python function with its documentation.
fn write_tool(origin: FieldOrigin, function: &Json, out: &mut FormatWriter<'_>) {
    let text =
        |json: &Json, key: &str| json.get(key).map(|text| display(&text)).unwrap_or_default();
    let parameters = function.get("parameters");
    let entries = parameters
        .as_ref()
        .and_then(|json| json.get("properties")?.entries());
    let entries = entries.unwrap_or_default();
    let required = parameters
        .as_ref()
        .and_then(|json| json.get("required")?.items());
    let required: Vec<String> = required
        .unwrap_or_default()
        .iter()
        .filter_map(Json::as_string)
        .collect();
    out.structure("\n\nFunction:\ndef ");
    out.write_data(origin, &text(function, "name"));
    out.structure("(");
    for (index, (name, parameter)) in entries.iter().enumerate() {
        out.structure(if index > 0 { "," } else { "" });
        out.write_data(origin, name);
        out.structure(": ");
        out.structure(python_type(parameter));
    }
    out.structure("):\n    \"\"\"\n    ");
    out.write_data(origin, text(function, "description").trim());
    out.structure("\n\n");
    out.structure(if entries.is_empty() { "" } else { "    Args:" });
    for (name, parameter) in &entries {
        out.structure("\n    - ");
        out.write_data(origin, name);
        out.structure(" (");
        out.structure(python_type(parameter));
        out.structure(if required.contains(name) {
            ") [必填]: "
        } else {
            ") [选填]: "
        });
        out.write_data(origin, &text(parameter, "description"));
    }
    out.structure("\n\n    \"\"\"");
}

fn python_type(parameter: &Json) -> &'static str {
    match parameter
        .get("type")
        .and_then(|kind| kind.as_string())
        .as_deref()
    {
        Some("string") => "str",
        Some("number" | "integer") => "int",
        Some("boolean") => "bool",
        Some("array") => "list",
        _ => "Any",
    }
}

fn write_assistant(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.reasoning.unwrap_or_default();
    let text = out.only_text(at, turn)?;
    let text = TextSlice::from(&text).strip();
    let reasoning = turn.reasoning().map(|text| TextSlice::new(text).strip());
    let reasoning = reasoning.filter(|text| !text.is_empty());
    let calls = turn.tool_calls().unwrap_or_default();
    let has_text = out.has_text(at, text);
    // A line break follows the role only if something does.
    let is_empty = reasoning.is_none() && !has_text && calls.is_empty();
    out.open_answer_with(if is_empty {
        turns.assistant.open.trim_end()
    } else {
        turns.assistant.open
    });
    if let Some(reasoning) = reasoning {
        out.structure(open);
        out.slice(FieldOrigin::Reasoning(at), reasoning);
        let is_last = !has_text && calls.is_empty();
        out.structure(if is_last { close.trim_end() } else { close });
    }
    out.finish_content(at, text);
    out.structure(if has_text && !calls.is_empty() {
        "\n\n"
    } else {
        ""
    });
    for (index, call) in calls.iter().enumerate() {
        out.structure(if index > 0 { "\n" } else { "" });
        out.write_tagged_call((at, turn), (index, call), chat)?;
    }
    // The template closes no message that contains nothing but reasoning.
    let is_closed = has_text || !calls.is_empty();
    out.close_answer(if is_closed { turns.assistant.close } else { "" });
    Ok(())
}
