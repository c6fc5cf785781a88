//! Muse Glimmer: messages with recipients, tools and the reasoning effort in system messages, and the arguments of calls between tags.

use std::borrow::Cow;
use std::collections::HashMap;

use super::chat::{ChatInput, ChatMessage};
use super::python::dumps;
use super::writer::{FieldOrigin, FormatWriter, ItemTrim, TextSlice};
use crate::{Json, Result, Role, Text};
use prompt_family::tokens::muse::{EOM, HEADER_END, REASONING, RESULT, TO};

const TOOLS: &str = "In this environment you have access to a set of tools you can use to answer the user's question.\n\nYou can invoke a function by writing a \"<atem:function_calls>\" block like the following:\n<atem:function_calls>\n<atem:invoke name=\"$FUNCTION_NAME\">\n<atem:parameter name=\"$PARAMETER_NAME\">$PARAMETER_VALUE</atem:parameter>\n...\n</atem:invoke>\n</atem:function_calls>\n\nString and scalar parameters should be specified as is, while lists and objects should use JSON format. Note that spaces for string values are not stripped. The output is not expected to be valid XML and is parsed with regular expressions.\nHere are the functions available in JSONSchema format:\n// Tool metadata\n";
const SCHEMAS: &str = "// Function schemas";
const EXAMPLE: &str = "\n\nHere's an example of how to call a function in the tool set:\n(If the tool namespace is not specified, invoke the function directly as `example_function_name` rather than `example_tool_name.example_function_name`)\n\nto=example_tool_name.example_function_name\n\n<atem:function_calls>\n<atem:invoke name=\"example_tool_name.example_function_name\">\n<atem:parameter name=\"example_parameter_1\">value_1</atem:parameter>\n<atem:parameter name=\"example_parameter_2\">This is the value for the second parameter\nthat can span\n\"multiple\" lines\n</atem:parameter>\n</atem:invoke>\n</atem:function_calls>";
/// The spellings of the reasoning effort in which the template replaces the second word.
const EFFORTS: [(&str, &str); 4] = [
    ("Reasoning effort", "strength"),
    ("Reasoning Effort", "Strength"),
    ("reasoning effort", "strength"),
    ("REASONING EFFORT", "STRENGTH"),
];

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    out.write_start(chat);
    let mut systems = chat.turns().filter(|(_, turn)| turn.has_role(Role::System));
    if systems.next().is_none() {
        let day = out.options.date_or_today();
        out.structure(turns.system.delimiters.open);
        out.structure(turns.system.default.text().unwrap_or_default());
        out.structure(&format!("{:04}-{:02}-{:02}.", day.year, day.month, day.day));
        write_system_end(chat, true, out)?;
    }
    // The template also reads the calls after a result.
    let mut called = match out.is_strict() {
        true => CalledTools::default(),
        false => CalledTools::of_chat(chat),
    };
    for (at, turn) in chat.turns() {
        match turn.role() {
            Some(Role::System) => {
                out.structure(turns.system.delimiters.open);
                let has_effort = write_instructions(at, &turn, out)?;
                write_system_end(chat, !has_effort, out)?;
            }
            Some(Role::User) => {
                out.structure(turns.user.open);
                write_content(at, &turn, out)?;
                out.structure(turns.user.close);
            }
            Some(Role::Assistant) => {
                if out.is_strict() {
                    called.add(&turn);
                }
                write_answer(at, &turn, chat, out)?;
            }
            Some(Role::Tool) => write_result(at, &turn, &called, out)?,
            _ if out.is_strict() => return Err(out.unsupported_role(at, &turn)),
            _ => {}
        }
    }
    out.write_end(chat);
    Ok(())
}

fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    match turn.items() {
        Some(_) => out.write_items(at, turn, ItemTrim::Nothing),
        None => {
            let text = out.only_text(at, turn)?;
            out.finish_content(at, TextSlice::from(&text));
            Ok(())
        }
    }
}

/// Writes the text of a system message, and returns whether it contains the reasoning effort.
fn write_instructions(
    at: usize,
    turn: &ChatMessage<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<bool> {
    let text: Cow<'_, Text> = out.visible_text(at, turn)?;
    let whole = TextSlice::from(&text);
    let mut has_effort = text.as_str().to_lowercase().contains("reasoning strength");
    // The template calls the effort a strength. Each spelling is searched once.
    let found = EFFORTS.iter().flat_map(|(effort, word)| {
        let starts = text.as_str().match_indices(effort);
        starts.map(|(start, _)| (start, *effort, *word))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_unstable_by_key(|(start, ..)| *start);
    let mut written = 0;
    for (start, effort, word) in found {
        let kept = effort.find(' ').map_or(0, |space| space + 1);
        out.slice(FieldOrigin::Content(at), whole.part(written..start + kept));
        out.structure(word);
        written = start + effort.len();
        has_effort = true;
    }
    out.finish_content(at, whole.part(written..whole.len()));
    Ok(has_effort)
}

/// Writes what follows the text of a system message: the reasoning effort, the tools, and the recipients.
fn write_system_end(
    chat: &ChatInput<'_>,
    writes_effort: bool,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let tools = chat.tools.as_deref().unwrap_or_default();
    if writes_effort {
        out.structure("\n\nReasoning strength: ");
        match out
            .options
            .effort
            .as_deref()
            .filter(|effort| !effort.is_empty())
        {
            Some(effort) => out.write_data(FieldOrigin::Option, effort),
            None => out.structure("high"),
        }
        out.structure(".");
    }
    let tools: Vec<Json> = tools
        .iter()
        .map(|tool| tool.get("function").unwrap_or_else(|| tool.clone()))
        .collect();
    let namespaces = namespaces(&tools);
    if !tools.is_empty() {
        out.structure("\n\n");
        write_tools(&tools, &namespaces, out);
    }
    out.structure("\n\n# Valid recipients: \"self\"");
    for (index, name) in &namespaces {
        out.structure(", \"");
        out.write_data(FieldOrigin::Tool(*index), name);
        out.structure(".*\"");
    }
    out.structure(", \"user\".");
    out.structure(out.family.turns.system.delimiters.close);
    Ok(())
}

/// The parts of the tools' names before the first point, each once, with the index of its first tool.
fn namespaces(tools: &[Json]) -> Vec<(usize, String)> {
    let mut names: Vec<(usize, String)> = Vec::new();
    for (index, tool) in tools.iter().enumerate() {
        let name = tool.get("name").and_then(|name| name.as_string());
        let name = name.unwrap_or_default();
        let name = name.split('.').next().unwrap_or_default();
        if names.iter().all(|(_, known)| known != name) {
            names.push((index, name.to_owned()));
        }
    }
    names
}

fn write_tools(tools: &[Json], namespaces: &[(usize, String)], out: &mut FormatWriter<'_>) {
    let quoted = |text: &str| dumps(&Json::from(serde_json::Value::from(text)), None);
    out.structure(TOOLS);
    for (index, name) in namespaces {
        out.structure("{\"name\": ");
        out.write_data(FieldOrigin::Tool(*index), &quoted(name));
        out.structure(", \"description\": \"\"}\n");
    }
    out.structure(SCHEMAS);
    for (index, tool) in tools.iter().enumerate() {
        let shown = |key: &str, default: &str| match tool.get(key) {
            Some(value) => dumps(&value, None),
            None => default.to_owned(),
        };
        let origin = FieldOrigin::Tool(index);
        out.structure("\n{\"name\": ");
        out.write_data(origin, &shown("name", "\"\""));
        out.structure(", \"description\": ");
        out.write_data(origin, &shown("description", "\"\""));
        out.structure(", \"parameters\": ");
        out.write_data(origin, &shown("parameters", "{}"));
        out.structure("}");
    }
    out.structure(EXAMPLE);
}

fn write_answer(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    if let Some(reasoning) = turn.reasoning().filter(|text| !text.is_empty()) {
        out.open_answer_with(REASONING);
        out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
        out.structure(EOM);
    }
    if !turn.has_calls() {
        out.open_answer();
        write_content(at, turn, out)?;
        out.close_answer(turns.assistant.close);
        return Ok(());
    }
    // The template leaves text beside calls out.
    let calls = turn.tool_calls().unwrap_or_default();
    let next = chat.turn(at + 1);
    let is_followed = next.is_some_and(|next| next.has_role(Role::Assistant));
    for (index, call) in calls.iter().enumerate() {
        if !out.is_strict() && call.arguments.as_string().is_some() {
            let what = "calls a tool with arguments that are a string";
            return Err(out.unsupported_message(at, turn, what, "give them as an object"));
        }
        out.open_answer_with(TO);
        out.write_name(FieldOrigin::Call(at, index), &call.name)?;
        out.structure(HEADER_END);
        out.write_tagged_call((at, turn), (index, call), chat)?;
        match index + 1 < calls.len() || is_followed {
            true => out.structure(EOM),
            false => out.structure(turns.assistant.close),
        }
    }
    out.end_answer();
    Ok(())
}

fn write_result(
    at: usize,
    turn: &ChatMessage<'_>,
    called: &CalledTools,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let name = match turn.name().filter(|name| !name.is_empty()) {
        Some(name) => name,
        None => called.name(at, turn, out)?,
    };
    let origin = FieldOrigin::CallId(at);
    out.structure(RESULT);
    out.write_name(origin, &name)?;
    out.structure(HEADER_END);
    out.structure("<tool_output name=\"");
    out.write_name(origin, &name)?;
    out.structure("\">\n");
    write_content(at, turn, out)?;
    out.structure("\n</tool_output>");
    out.structure(out.family.turns.user.close);
    Ok(())
}

/// The names of called tools by the ids of their calls.
#[derive(Default)]
struct CalledTools(HashMap<String, String>);

impl CalledTools {
    /// The tools that are called in the whole conversation, as the template reads them.
    fn of_chat(chat: &ChatInput<'_>) -> CalledTools {
        let mut called = CalledTools::default();
        for (_, turn) in chat.turns() {
            called.add(&turn);
        }
        called
    }

    /// Adds the tools that a message calls. The id of a call without one is its name.
    fn add(&mut self, turn: &ChatMessage<'_>) {
        for call in turn.tool_calls().unwrap_or_default().iter() {
            let id = call.id.as_ref().unwrap_or(&call.name);
            self.0.insert(id.clone(), call.name.clone());
        }
    }

    /// The name of the tool whose result a message is.
    fn name(&self, at: usize, turn: &ChatMessage<'_>, out: &FormatWriter<'_>) -> Result<String> {
        let id = turn.call_id().unwrap_or_default();
        match self.0.get(id) {
            Some(name) => Ok(name.clone()),
            None if !out.is_strict() => Ok(id.to_owned()),
            None => {
                let what = "is not the result of a call before it";
                let help = "give the call and its result the same id";
                Err(out.unsupported_message(at, turn, what, help))
            }
        }
    }
}
