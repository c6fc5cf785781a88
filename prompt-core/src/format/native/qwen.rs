//! Qwen 2.5 and Qwen 3: tools as JSON in the system message, and reasoning that can be turned off.

use super::chat::{ChatContent, ChatInput, ChatMessage};
use super::python::dumps;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::json::Shape;
use crate::{Result, Role};

const TOOLS: &str = "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>";
const CALLS: &str = "\n</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let reasons = turns.reasoning.is_some();
    write_head(chat, out)?;
    let question = last_question(chat, out);
    for (at, turn) in chat.turns() {
        match turn.role() {
            Some(Role::System) if at == 0 => {}
            Some(Role::User | Role::System) => {
                let text = if reasons {
                    out.only_text(at, &turn)?
                } else {
                    out.text(at, &turn)?
                };
                out.open_turn(at, &turn);
                out.finish_content(at, TextSlice::from(&text));
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
        Some(turn) if !tools.is_empty() && out.family.turns.reasoning.is_none() => {
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

fn write_result(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.results.unwrap_or_default();
    let text = match turns.reasoning {
        Some(_) => out.only_text(at, turn)?,
        None => out.printed_text(at, turn)?,
    };
    let is_result =
        |turn: Option<ChatMessage<'_>>| turn.is_some_and(|turn| turn.has_role(Role::Tool));
    let is_first = at == 0 || !is_result(chat.turn(at - 1));
    out.structure(if is_first { turns.user.open } else { "\n" });
    out.structure(open);
    out.finish_content(at, TextSlice::from(&text));
    out.structure(close);
    if !is_result(chat.turn(at + 1)) {
        out.structure(turns.user.close);
    }
    Ok(())
}

fn without_reasoning(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let text = out.text(at, turn)?;
    let text = TextSlice::from(&text);
    out.open_answer();
    out.finish_content(at, text);
    if turn.has_calls() && out.has_text(at, text) {
        out.structure("\n");
    }
    out.write_calls(at, turn, "\n")
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
    for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
        out.structure(if index > 0 || out.has_text(at, text) {
            "\n"
        } else {
            ""
        });
        let arguments = match call.arguments.shape() {
            Shape::Str => call.arguments.as_string().unwrap_or_default(),
            _ => dumps(&call.arguments, None),
        };
        out.write_call(FieldOrigin::Call(at, index), call, &arguments)?;
    }
    Ok(())
}
