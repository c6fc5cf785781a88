//! Qwen 2.5, Qwen 3 and Qwen 3 VL: tools as JSON in the system message, and reasoning that can be turned off.

use std::borrow::Cow;

use super::chat::{ChatContent, ChatInput, ChatMessage};
use super::python::dumps;
use super::writer::{FieldOrigin, FormatWriter, ItemTrim, TextSlice};
use crate::{Result, Role, Text};
use prompt_family::DefaultSystem;

const TOOLS: &str = "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>";
const CALLS: &str = "\n</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    write_head(chat, out)?;
    let question = last_question(chat, out);
    for (at, turn) in chat.turns() {
        match turn.role() {
            // The template for images reads no system message after the first message.
            Some(Role::System) if at == 0 || out.family.media => {}
            Some(Role::User | Role::System) => {
                out.open_turn(at, &turn);
                write_content(at, &turn, out)?;
                out.structure(turns.user.close);
            }
            Some(Role::Assistant) => {
                match turns.reasoning {
                    Some(delimiters) => {
                        let is_last = at + 1 == chat.len();
                        with_reasoning(at, &turn, (at > question, is_last), delimiters, out)?;
                    }
                    None => without_reasoning(at, &turn, out)?,
                }
                out.close_answer(turns.assistant.close);
            }
            Some(Role::Tool) => write_result(at, &turn, chat, out)?,
            _ => {}
        }
    }
    out.write_end(chat);
    // Where the generation prompt opens the reasoning, it cannot be turned off.
    if let (true, Some(false), Some((open, close))) = (
        out.has_generation_prompt() && turns.answer.is_none(),
        out.options.thinking,
        turns.reasoning,
    ) {
        out.structure(open);
        out.structure(close);
    }
    Ok(())
}

/// The system message, with the tools in it.
fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let settings = &out.family.turns.system;
    let tools = chat.tools.as_deref().unwrap_or_default();
    let system = chat.system();
    if tools.is_empty() && system.is_none() {
        out.default_system(chat);
        return Ok(());
    }
    out.structure(settings.delimiters.open);
    match system {
        Some(turn) if !tools.is_empty() && settings.default != DefaultSystem::None => {
            out.finish_content(0, TextSlice::from(&out.printed_text(0, &turn)?));
        }
        Some(turn) => out.finish_content(0, TextSlice::from(&out.text(0, &turn)?)),
        None => out.structure(settings.default.text().unwrap_or_default()),
    }
    if !tools.is_empty() {
        if system.is_some() || settings.default.text().is_some() {
            out.structure("\n\n");
        }
        out.structure(TOOLS);
        for (index, tool) in tools.iter().enumerate() {
            out.structure("\n");
            out.write_data(FieldOrigin::Tool(index), &dumps(tool, None));
        }
        out.structure(CALLS);
    }
    out.structure(settings.delimiters.close);
    Ok(())
}

/// The index of the user's last question; a tool's result in a user message is not a question.
fn last_question(chat: &ChatInput<'_>, out: &FormatWriter<'_>) -> usize {
    let (open, close) = out.family.turns.results.unwrap_or_default();
    let (open, close) = (open.trim(), close.trim());
    let is_question = |&(at, turn): &(usize, ChatMessage<'_>)| {
        if !turn.has_role(Role::User) {
            return false;
        }
        let whole = out.only_text(at, &turn).unwrap_or_default();
        let text = whole.as_str();
        let is_text = out.is_strict()
            || matches!(turn.content(), ChatContent::Text(_) | ChatContent::Texts(_));
        let is_result = text.starts_with(open)
            && text.ends_with(close)
            && !out.is_open(at)
            && !out.is_guarded_data(&whole, &(0..1));
        is_text && !is_result
    };
    let questions = chat.turns().filter(is_question);
    questions.last().map_or(chat.len() - 1, |(at, _)| at)
}

/// The text of a content. The templates of Qwen 3 without images take a list for empty.
fn text_of<'t>(out: &FormatWriter<'_>, at: usize, turn: &ChatMessage<'t>) -> Result<Cow<'t, Text>> {
    let turns = &out.family.turns;
    match turns.system.default == DefaultSystem::None && !out.family.media {
        true => out.only_text(at, turn),
        false => out.text(at, turn),
    }
}

/// Writes a content with a placeholder for each image, or as text.
fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    if out.family.media && turn.items().is_some() {
        return out.write_items(at, turn, ItemTrim::Nothing);
    }
    let text = text_of(out, at, turn)?;
    out.finish_content(at, TextSlice::from(&text));
    Ok(())
}

/// Whether there is a message, and it is a tool's result.
pub(super) fn is_result(turn: Option<ChatMessage<'_>>) -> bool {
    turn.is_some_and(|turn| turn.has_role(Role::Tool))
}

/// Closes a result, and the user's turn around the results after the last one.
pub(super) fn close_result(at: usize, chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) {
    let turns = &out.family.turns;
    let (_, close) = turns.results.unwrap_or_default();
    out.structure(close);
    if !is_result(chat.turn(at + 1)) {
        out.structure(turns.user.close);
    }
}

fn write_result(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, _) = turns.results.unwrap_or_default();
    let is_first = at == 0 || !is_result(chat.turn(at - 1));
    out.structure(if is_first { turns.user.open } else { "\n" });
    out.structure(open);
    match turns.system.default {
        DefaultSystem::None => write_content(at, turn, out)?,
        _ => out.finish_content(at, TextSlice::from(&out.printed_text(at, turn)?)),
    }
    close_result(at, chat, out);
    Ok(())
}

fn without_reasoning(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let text = text_of(out, at, turn)?;
    let text = TextSlice::from(&text);
    out.open_answer();
    out.finish_content(at, text);
    write_calls(at, turn, out.has_text(at, text), out)
}

fn with_reasoning(
    at: usize,
    turn: &ChatMessage<'_>,
    (is_recent, is_last): (bool, bool),
    (open, close): (&str, &str),
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let whole = out.only_text(at, turn)?;
    let (reasoning, text) = out.reasoning_in(at, turn, TextSlice::from(&whole));
    out.open_answer();
    if is_recent && (is_last || reasoning.is_some_and(|(_, text)| !text.is_empty())) {
        out.structure(open);
        if let Some((origin, reasoning)) = reasoning {
            out.slice(origin, reasoning.strip_lines());
        }
        out.structure(close);
        out.finish_content(at, text.strip_lines_start());
    } else {
        out.finish_content(at, text);
    }
    write_calls(at, turn, out.has_text(at, text), out)
}

/// Writes the calls, each in a line of its own.
fn write_calls(
    at: usize,
    turn: &ChatMessage<'_>,
    has_text: bool,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let writes_strings = out.family.turns.system.default == DefaultSystem::None;
    for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
        out.structure(if index > 0 || has_text { "\n" } else { "" });
        let given = out.arguments(call);
        let arguments = match given.as_string() {
            Some(text) if writes_strings => text,
            _ => dumps(&given, None),
        };
        out.write_call(FieldOrigin::Call(at, index), call, &arguments)?;
    }
    Ok(())
}
