//! GLM-4, and GLM from 4.5 on.

use super::chat::{ChatContent, ChatInput, ChatMessage};
use super::python::{display, dumps, list_to_text};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Json, Result, Role};
use prompt_family::tokens::glm::{GLM4_5_TOOLS, GLM4_TOOLS, NO_THINK};

/// GLM-4: tools are in a system message of their own.
pub(crate) fn write_glm4(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    out.write_start(chat);
    // The model's chat template takes tools only from a message, which is where strict writing puts them.
    if let (Some(tools), true) = (&chat.tools, out.is_strict()) {
        write_tools(tools, out);
    }
    for (at, turn) in chat.turns() {
        let is_answer = turn.has_role(Role::Assistant);
        if is_answer || turn.role().is_none() {
            out.end_answer();
        }
        if let Some(tools) = turn.extra("tools").and_then(Json::items) {
            out.end_answer();
            write_tools(&tools, out);
        }
        let text = out.printed_text(at, &turn)?;
        let observation = out.family.turns.tool;
        if let (Some(tool), true) = (observation, out.is_strict() && turn.has_role(Role::Tool)) {
            // Messages name the role `tool`, the model's template `observation`.
            open_next_turn(tool.open, out);
            out.finish_content(at, TextSlice::from(&text));
        } else if out.has_text(at, TextSlice::from(&text)) {
            out.structure("<|");
            out.role(at, turn.role_name(), false);
            out.close_answer("|>");
            if let Some(metadata) = turn.extra("metadata") {
                out.write_data(FieldOrigin::Role(at), &display(metadata));
            }
            out.structure("\n");
            if is_answer {
                out.begin_answer();
            }
            out.finish_content(at, TextSlice::from(&text));
        }
        // The template has the name of a tool in a field of its own, where it writes the line of the role.
        if out.has_own_calls(&turn) {
            out.write_calls(at, &turn, "")?;
        }
    }
    out.end_answer();
    out.write_end(chat);
    Ok(())
}

/// Writes the delimiter that opens a turn. The model generates its token, which ends the answer before.
fn open_next_turn(open: &str, out: &mut FormatWriter<'_>) {
    let token = open.trim_end();
    out.close_answer(token);
    out.structure(&open[token.len()..]);
}

fn write_tools(tools: &[Json], out: &mut FormatWriter<'_>) {
    out.structure(GLM4_TOOLS);
    for (index, tool) in tools.iter().enumerate() {
        let Some(function) = tool.get("function").filter(|_| {
            tool.get("type")
                .is_some_and(|kind| kind.as_str() == "\"function\"")
        }) else {
            continue;
        };
        let origin = FieldOrigin::Tool(index);
        out.structure("\n## ");
        out.write_data(
            origin,
            &function
                .get("name")
                .map(|name| display(&name))
                .unwrap_or_default(),
        );
        out.structure("\n\n");
        out.write_data(origin, &dumps(&function, Some(4)));
        out.structure("\n......");
    }
}

const CALLS: &str = "</tools>\n\nFor each function call, output the function name and arguments within the following XML format:\n";

/// Writes the form of a call after the tools.
fn write_call_form(out: &mut FormatWriter<'_>) {
    let calls = &out.family.turns.calls;
    let Some(tags) = &calls.arguments else { return };
    out.structure(CALLS);
    out.structure(calls.open.trim_start());
    out.structure("{function-name}");
    out.structure(calls.middle);
    for number in ["1", "2"] {
        let texts = [
            tags.open,
            "{arg-key-",
            number,
            "}",
            tags.middle,
            "{arg-value-",
            number,
            "}",
            tags.close,
        ];
        texts.iter().for_each(|text| out.structure(text));
    }
    out.structure("...");
    out.structure(calls.middle);
    out.structure(calls.close);
}

/// From GLM-4.5 on: tools in front, arguments as XML, reasoning after the last question.
pub(crate) fn write_glm4_5(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    out.write_start(chat);
    if let Some(tools) = chat.tools.as_ref().filter(|tools| !tools.is_empty()) {
        out.structure(GLM4_5_TOOLS);
        for (index, tool) in tools.iter().enumerate() {
            out.write_data(FieldOrigin::Tool(index), &dumps(tool, None));
            out.structure("\n");
        }
        write_call_form(out);
    }
    let question = chat
        .turns()
        .filter(|(_, turn)| turn.has_role(Role::User))
        .last();
    let no_thinking = out.options.thinking == Some(false);
    let keeps_all = out.keep_reasoning() == Some(true);
    let has_switch = out.family.tokens.contains(&NO_THINK);
    for (at, turn) in chat.turns() {
        match turn.role() {
            Some(Role::User | Role::System) => {
                let text = out.visible_text(at, &turn)?;
                let delimiters = match turn.has_role(Role::User) {
                    true => &out.family.turns.user,
                    false => &out.family.turns.system.delimiters,
                };
                open_next_turn(delimiters.open, out);
                out.finish_content(at, TextSlice::from(&text));
                let len = text.as_str().len();
                let is_off = text.as_str().ends_with(NO_THINK)
                    && !out.is_guarded_data(&text, &(len - 1..len));
                if turn.has_role(Role::User) && no_thinking && has_switch && !is_off {
                    out.structure(NO_THINK);
                }
            }
            Some(Role::Assistant) => {
                out.end_answer();
                let is_recent = question.is_none_or(|(question, _)| at > question);
                write_assistant(at, &turn, keeps_all || is_recent, chat, out)?;
            }
            Some(Role::Tool) => write_result(at, &turn, chat, out)?,
            _ => {}
        }
    }
    out.end_answer();
    if out.has_generation_prompt() && no_thinking {
        out.structure(out.family.turns.assistant.open);
        out.structure(out.family.turns.no_reasoning);
    } else {
        out.write_end(chat);
    }
    Ok(())
}

fn write_assistant(
    at: usize,
    turn: &ChatMessage<'_>,
    recent: bool,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let (open, close) = out.family.turns.reasoning.unwrap_or_default();
    let text = out.visible_text(at, turn)?;
    let (reasoning, text) = out.reasoning_in(at, turn, TextSlice::from(&text));
    out.open_answer();
    match reasoning.filter(|(_, text)| recent && !text.is_empty()) {
        Some((origin, reasoning)) => {
            out.structure(open);
            out.slice(origin, reasoning.strip());
            out.structure(close.trim_end());
        }
        None => out.structure(out.family.turns.no_reasoning),
    }
    if out.has_text(at, text.strip()) {
        out.structure(&close[close.trim_end().len()..]);
        out.finish_content(at, text.strip());
    }
    out.write_tagged_calls(at, turn, chat)?;
    Ok(())
}

fn write_result(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.results.unwrap_or_default();
    let tool = turns.tool.map_or("", |tool| tool.open);
    let (token, line) = tool.split_at(tool.trim_end().len());
    let list = match turn.content() {
        ChatContent::Json(json) if !out.is_strict() => json.items(),
        ChatContent::Absent if !out.is_strict() => Some(Vec::new()),
        _ => None,
    };
    let before = at.checked_sub(1).and_then(|before| chat.turn(before));
    if list.is_some() || !before.is_some_and(|turn| turn.has_role(Role::Tool)) {
        out.close_answer(token);
    }
    let Some(list) = list else {
        out.structure(line);
        out.structure(open);
        out.finish_content(at, TextSlice::from(&out.text(at, turn)?));
        out.structure(close);
        return Ok(());
    };
    let last = list.iter().rposition(|item| item.get("text").is_some());
    for (index, item) in list.into_iter().enumerate() {
        out.structure(line);
        out.structure(open);
        if Some(index) == last && out.is_open(at) {
            // The text of this item is continued, so what Python prints of the item ends there.
            let item = list_to_text(&Json::list(&[item]), false).unwrap_or_default();
            out.write_data(FieldOrigin::Content(at), item.trim_start_matches('['));
            out.seal_open_message(at);
        } else {
            let item = item.get("output").unwrap_or(item);
            out.write_data(FieldOrigin::Content(at), &display(&item));
        }
        out.structure(close);
    }
    Ok(())
}
