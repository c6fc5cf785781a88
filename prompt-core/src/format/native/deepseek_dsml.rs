//! DeepSeek V3.2 and V4: offered tools, and the arguments of calls between tags that contain whether a value is a string.

use prompt_family::EffortText;

use super::chat::{ChatInput, ChatMessage};
use super::python::dumps;
use super::qwen::is_result;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Result, Role};

const V3_2_TOOLS: [&str; 2] = [
    "## Tools\n\nYou have access to a set of tools you can use to answer the user's question.\nYou can invoke functions by writing a \"<｜DSML｜function_calls>\" block like the following as part of your reply to the user:\n<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"$FUNCTION_NAME\">\n<｜DSML｜parameter name=\"$PARAMETER_NAME\" string=\"true|false\">$PARAMETER_VALUE</｜DSML｜parameter>\n...\n</｜DSML｜invoke>\n<｜DSML｜invoke name=\"$FUNCTION_NAME2\">\n...\n</｜DSML｜invoke>\n</｜DSML｜function_calls>\n\nString and scalar parameters should be specified as is without any escaping or quotes, while lists and objects should use JSON format. The \"string\" attribute should be set to \"true\" for string type parameters and \"false\" for other types (numbers, booleans, arrays, objects).\n\nIf the thinking_mode is enabled, then after function results you should strongly consider outputting a thinking block. Here is an example:\n\n<｜DSML｜function_calls>\n...\n</｜DSML｜function_calls>\n\n<function_results>\n...\n</function_results>\n\n<think>...thinking about results</think>\n\nHere are the functions available in JSONSchema format:\n<functions>\n",
    "\n</functions>\n",
];
const V4_TOOLS: [&str; 2] = [
    "## Tools\n\nYou have access to a set of tools to help answer the user's question. You can invoke tools by writing a \"<｜DSML｜tool_calls>\" block like the following:\n\n<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"$TOOL_NAME\">\n<｜DSML｜parameter name=\"$PARAMETER_NAME\" string=\"true|false\">$PARAMETER_VALUE</｜DSML｜parameter>\n...\n</｜DSML｜invoke>\n<｜DSML｜invoke name=\"$TOOL_NAME2\">\n...\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>\n\nString parameters should be specified as is and set `string=\"true\"`. For all other types (numbers, booleans, arrays, objects), pass the value in JSON format and set `string=\"false\"`.\n\nIf thinking_mode is enabled (triggered by <think>), you MUST output your complete reasoning inside <think>...</think> BEFORE any tool calls or final response.\n\nOtherwise, output directly after </think> with tool calls or final response.\n\n### Available Tool Schemas\n\n",
    "\n\nYou MUST strictly follow the above defined tool name and parameter schemas to invoke tool calls.\n",
];

/// What precedes a message.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    Question,
    Result,
}

/// Writes a conversation of V3.2, or one of V4 with its reasoning efforts. V4 has the results of tools in user messages.
pub(crate) fn write_chat(
    chat: &ChatInput<'_>,
    v4_efforts: Option<&[EffortText]>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let is_v4 = v4_efforts.is_some();
    let thinks = out.options.thinking == Some(true);
    let tools = chat.tools.as_deref().unwrap_or_default();
    let keeps_all = is_v4 && !tools.is_empty();
    out.write_start(chat);
    if let Some(efforts) = v4_efforts {
        let text = out.effort_text(efforts, thinks)?;
        out.structure(if thinks { text } else { "" });
    }
    write_head(chat, if is_v4 { V4_TOOLS } else { V3_2_TOOLS }, out)?;
    let is_question =
        |turn: &ChatMessage<'_>| turn.has_role(Role::User) || is_v4 && turn.has_role(Role::Tool);
    let question = chat.turns().filter(|(_, turn)| is_question(turn)).last();
    let reasons =
        |at: usize| thinks && (keeps_all || question.is_none_or(|(question, _)| at > question));
    let mut before = Before::Nothing;
    // The results since the last other message, and the calls of that message.
    let (mut results, mut calls) = (0, 0);
    for (at, turn) in chat.turns().skip(usize::from(chat.system().is_some())) {
        match turn.role() {
            Some(Role::User | Role::Tool) if is_v4 => {
                out.structure(if before == Before::Question {
                    "\n\n"
                } else {
                    turns.user.open
                });
                match turn.has_role(Role::User) {
                    true => write_text(at, &turn, out)?,
                    false => write_result(at, &turn, out)?,
                }
                before = Before::Question;
            }
            Some(Role::User) => {
                write_missing(before, reasons(at), out);
                out.structure(turns.user.open);
                write_text(at, &turn, out)?;
                before = Before::Question;
            }
            Some(Role::Tool) => {
                write_results(at, &turn, (results, calls), chat, out)?;
                before = Before::Result;
            }
            Some(Role::Assistant) => {
                write_header(before, reasons(at), true, out);
                write_answer(at, &turn, reasons(at), chat, out)?;
                before = Before::Nothing;
            }
            // Without a delimiter, also after the conversation began.
            Some(Role::System) if !out.is_strict() => {
                if !is_v4 {
                    write_missing(before, reasons(at), out);
                }
                write_text(at, &turn, out)?;
                before = Before::Nothing;
            }
            _ => return Err(out.unsupported_role(at, &turn)),
        }
        if turn.has_role(Role::Tool) {
            results += 1;
        } else {
            (results, calls) = (0, turn.call_count().unwrap_or(0));
        }
    }
    if out.has_generation_prompt() {
        write_missing(before, reasons(chat.len()), out);
    }
    Ok(())
}

fn write_head(
    chat: &ChatInput<'_>,
    [before, after]: [&str; 2],
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    if let Some(turn) = chat.system() {
        write_text(0, &turn, out)?;
    }
    let tools = chat.tools.as_deref().unwrap_or_default();
    if tools.is_empty() {
        return Ok(());
    }
    out.structure("\n\n");
    out.structure(before);
    for (index, tool) in tools.iter().enumerate() {
        out.structure(if index > 0 { "\n" } else { "" });
        let function = tool.get("function").unwrap_or_else(|| tool.clone());
        out.write_data(FieldOrigin::Tool(index), &dumps(&function, None));
    }
    out.structure(after);
    Ok(())
}

/// Writes the header of an answer that is missing.
fn write_missing(before: Before, reasons: bool, out: &mut FormatWriter<'_>) {
    if before != Before::Nothing {
        write_header(before, reasons, false, out);
    }
}

fn write_text(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    out.finish_content(at, TextSlice::from(&out.printed_text(at, turn)?));
    Ok(())
}

/// Writes the beginning of an answer: what precedes it decides whether it has a header.
fn write_header(before: Before, reasons: bool, is_generated: bool, out: &mut FormatWriter<'_>) {
    let turns = &out.family.turns;
    out.structure(match before {
        Before::Nothing => "",
        Before::Question => turns.assistant.open,
        Before::Result => "\n\n",
    });
    if is_generated {
        out.begin_answer();
    }
    let (open, _) = turns.reasoning.unwrap_or_default();
    out.structure(match before {
        Before::Nothing => "",
        _ if reasons => open,
        _ => turns.no_reasoning,
    });
}

fn write_answer(
    at: usize,
    turn: &ChatMessage<'_>,
    reasons: bool,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    if let (true, Some((_, close))) = (reasons, turns.reasoning) {
        if let Some(reasoning) = turn.reasoning() {
            out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
        }
        out.structure(close);
    }
    write_text(at, turn, out)?;
    let calls = turn.tool_calls().unwrap_or_default();
    for (index, call) in calls.iter().enumerate() {
        out.structure(if index > 0 {
            "\n"
        } else {
            turns.calls.section_open
        });
        out.write_tagged_call((at, turn), (index, call), chat)?;
    }
    out.structure(if calls.is_empty() {
        ""
    } else {
        turns.calls.section_close
    });
    out.close_answer(turns.assistant.close);
    Ok(())
}

fn write_result(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let (open, close) = out.family.turns.results.unwrap_or_default();
    out.structure(open);
    write_text(at, turn, out)?;
    out.structure(close);
    Ok(())
}

/// A result of V3.2, which follows `before` results of `calls` calls. The results of one answer are together, and are as many as its calls.
fn write_results(
    at: usize,
    turn: &ChatMessage<'_>,
    (before, calls): (usize, usize),
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let is_last = !is_result(chat.turn(at + 1));
    if before >= calls || is_last && before + 1 < calls {
        let what = format!("is one of {} results of {calls} calls", before + 1);
        let help = "give one result for each call, after the message with the calls";
        return Err(out.unsupported_message(at, turn, &what, help));
    }
    let (open, close) = out
        .family
        .turns
        .tool
        .map_or(("", ""), |tool| (tool.open, tool.close));
    out.structure(if before == 0 { open } else { "" });
    write_result(at, turn, out)?;
    out.structure(if is_last { close.trim_end() } else { "" });
    Ok(())
}
