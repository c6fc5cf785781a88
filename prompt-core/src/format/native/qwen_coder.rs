//! Qwen 3 Coder: tools and the arguments of calls between tags.

use super::chat::{ChatInput, ChatMessage};
use super::python::{display, dumps};
use super::qwen::{close_result, is_result};
use super::qwen3_5::CALLS;
use super::writer::{FieldOrigin, FormatWriter, TextSlice, sorted_tags};
use crate::json::Shape;
use crate::{Json, Origin, Result, Role};
use prompt_family::tokens::qwen::CODER_SYSTEM;

const TOOLS: &str = "\n\n# Tools\n\nYou have access to the following functions:\n\n<tools>";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    out.write_system_with_tools(chat, CODER_SYSTEM, |out, tools| {
        out.structure(TOOLS);
        write_tools(tools, &[], &[], out)?;
        out.structure(CALLS);
        Ok(())
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

/// Writes tools as tags. The keys `early` of a parameter follow its description, and the keys `late` of the parameters end them,
/// with values as JSON; all other keys are written in their order.
pub(super) fn write_tools(
    tools: &[Json],
    early: &[&str],
    late: &[&str],
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let keys = [&KEYS[..], early, late].concat();
    // The tags that end a function and a parameter are those of calls, which are tokens of the family.
    let mut tags = sorted_tags(&[&["function", "parameters", "parameter"], &keys[..]].concat());
    tags.retain(|tag| !out.family.tokens.contains(&tag.as_str()));
    out.write_with_tags(&tags, |out| {
        for (index, tool) in tools.iter().enumerate() {
            let function = tool.get("function").unwrap_or_else(|| tool.clone());
            let mut list = ToolTags {
                origin: FieldOrigin::Tool(index),
                keys: &keys,
                out,
            };
            list.write_tool(&function, early, late)?;
        }
        Ok(())
    })
}

/// Writes a tool as tags.
struct ToolTags<'w, 'o> {
    origin: FieldOrigin,
    /// The keys that the template itself writes as tags.
    keys: &'w [&'w str],
    out: &'w mut FormatWriter<'o>,
}

impl ToolTags<'_, '_> {
    fn write_tool(&mut self, function: &Json, early: &[&str], late: &[&str]) -> Result<()> {
        self.out.structure("\n<function>");
        self.write_entry("name", displayed(function, "name"))?;
        self.write_entry("description", trimmed_text(function, "description"))?;
        self.out.structure("\n<parameters>");
        let parameters = function.get("parameters");
        let properties = parameters
            .as_ref()
            .and_then(|json| json.get("properties")?.entries());
        for (name, parameter) in properties.unwrap_or_default() {
            self.out.structure("\n<parameter>");
            self.write_entry("name", Some(name))?;
            self.write_entry("type", displayed(&parameter, "type"))?;
            self.write_entry("description", trimmed_text(&parameter, "description"))?;
            self.write_json_entries(&parameter, early)?;
            self.write_other_entries(&parameter, &[&KEYS[..], early].concat())?;
            self.out.structure("\n</parameter>");
        }
        if let Some(parameters) = parameters {
            let written = [&["type", "properties"], late].concat();
            self.write_other_entries(&parameters, &written)?;
            self.write_json_entries(&parameters, late)?;
        }
        self.out.structure("\n</parameters>");
        let written = ["type", "name", "description", "parameters"];
        self.write_other_entries(function, &written)?;
        self.out.structure("\n</function>");
        Ok(())
    }

    /// A key and its value between two tags, if there is a value.
    fn write_entry(&mut self, key: &str, value: Option<String>) -> Result<()> {
        let Some(value) = value else { return Ok(()) };
        let is_own = self.keys.contains(&key);
        let key_origin = match is_own {
            true => Origin::Structure,
            false => Origin::Data(None),
        };
        self.out.structure("\n<");
        self.out.push(key, key_origin, self.origin);
        self.out.structure(">");
        let origin = self.origin;
        match is_own {
            true => self.out.write_data(origin, &value),
            // A tag whose name is data is structure for its own value alone.
            false => self.out.write_with_tags(&sorted_tags(&[key]), |out| {
                out.write_data(origin, &value);
                Ok(())
            })?,
        }
        self.out.structure("</");
        self.out.push(key, key_origin, self.origin);
        self.out.structure(">");
        Ok(())
    }

    /// The entries of an object with these keys, as JSON.
    fn write_json_entries(&mut self, json: &Json, keys: &[&str]) -> Result<()> {
        for key in keys {
            self.write_entry(key, json.get(key).map(|value| dumps(&value, None)))?;
        }
        Ok(())
    }

    /// The entries of an object whose keys are not in this list.
    fn write_other_entries(&mut self, json: &Json, keys: &[&str]) -> Result<()> {
        for (key, value) in json.entries().unwrap_or_default() {
            if !keys.contains(&&*key) {
                self.write_entry(&key, Some(printed_value(&value)))?;
            }
        }
        Ok(())
    }
}

/// The keys of tools and parameters that both templates write as tags.
const KEYS: [&str; 3] = ["name", "type", "description"];

fn displayed(json: &Json, key: &str) -> Option<String> {
    json.get(key).map(|value| display(&value))
}

fn trimmed_text(json: &Json, key: &str) -> Option<String> {
    Some(displayed(json, key)?.trim().to_owned())
}

/// A list or an object as JSON, and the rest as Python prints it.
fn printed_value(value: &Json) -> String {
    match value.shape() {
        Shape::Object | Shape::Array => dumps(value, None),
        _ => display(value),
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
