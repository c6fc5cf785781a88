//! DeepSeek from V3 on: system messages in front, blocks of tool calls and results, reasoning.

use super::chat::{ChatInput, ChatMessage};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::json::Shape;
use crate::{Json, Result, Role};
use prompt_family::tokens::deepseek::{RESULTS, RESULTS_END};

/// All system messages, wherever they are, with an empty line between them.
fn write_system(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    out.write_start(chat);
    let systems = chat.turns().filter(|(_, turn)| turn.has_role(Role::System));
    for (index, (at, turn)) in systems.enumerate() {
        out.structure(if index > 0 { "\n\n" } else { "" });
        out.finish_content(at, TextSlice::from(&out.text(at, &turn)?));
    }
    Ok(())
}

#[derive(Default)]
struct WrittenSoFar {
    after_user: bool,
    after_result: bool,
    /// A call was written in this block of calls.
    called: bool,
    /// A result was written in this block of results.
    answered: bool,
}

/// V3 and R1. R1 opens the answer with its reasoning, and begins blocks of calls and of results only once.
pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let reasons = turns.reasoning.is_some();
    let (open, close) = turns.tool.map_or(("", ""), |tool| (tool.open, tool.close));
    write_system(chat, out)?;
    let mut state = WrittenSoFar::default();
    for (at, turn) in chat.turns() {
        match (turn.role(), turn.call_count()) {
            (Some(Role::User), _) => {
                out.write_turn(at, &turn, false)?;
                state = WrittenSoFar {
                    after_user: true,
                    after_result: false,
                    called: reasons && state.called,
                    ..state
                };
            }
            (Some(Role::Assistant), Some(_)) => write_calls(at, &turn, &mut state, out)?,
            (Some(Role::Assistant), None) => write_answer(at, &turn, &mut state, out)?,
            (Some(Role::Tool), _) => {
                out.structure(match (state.answered, reasons) {
                    (false, _) => RESULTS,
                    (true, false) => "\n",
                    (true, true) => "",
                });
                out.structure(open);
                out.finish_content(at, TextSlice::from(&out.text(at, &turn)?));
                out.structure(close);
                state = WrittenSoFar {
                    after_user: false,
                    after_result: true,
                    answered: true,
                    ..state
                };
            }
            _ => {}
        }
    }
    if state.after_result {
        out.structure(RESULTS_END);
    } else if out.has_generation_prompt() && reasons {
        out.structure(turns.generation_prompt());
    } else if out.has_generation_prompt() && !state.after_user {
        out.structure(turns.user.close);
    }
    Ok(())
}

fn write_calls(
    at: usize,
    turn: &ChatMessage<'_>,
    state: &mut WrittenSoFar,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let calls = turn.tool_calls().unwrap_or_default();
    let reasons = turns.reasoning.is_some();
    if !reasons {
        out.structure(if state.after_result { RESULTS_END } else { "" });
        *state = WrittenSoFar::default();
    }
    (state.after_user, state.after_result) = (false, false);
    if state.called || calls.is_empty() {
        out.begin_answer();
    }
    for (index, call) in calls.iter().enumerate() {
        let origin = FieldOrigin::Call(at, index);
        if state.called {
            out.structure("\n");
        } else {
            out.open_answer();
            out.finish_content(at, TextSlice::from(&out.text(at, turn)?));
            out.structure(turns.calls.section_open);
        }
        out.structure(turns.calls.open);
        state.called = true;
        match call.kind.as_deref() {
            None | Some("function") => out.structure("function"),
            Some(kind) => out.write_name(origin, kind)?,
        }
        out.structure(turns.calls.middle);
        out.write_name(origin, &call.name)?;
        out.structure("\n```json\n");
        let arguments = match call.arguments.shape() {
            Shape::Str => display(&call.arguments),
            _ => dumps(&call.arguments, None),
        };
        out.write_data(origin, &arguments);
        out.structure("\n```");
        out.structure(turns.calls.close);
    }
    out.structure(turns.calls.section_close);
    out.close_answer(turns.assistant.close);
    Ok(())
}

fn write_answer(
    at: usize,
    turn: &ChatMessage<'_>,
    state: &mut WrittenSoFar,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let text = out.text(at, turn)?;
    let mut text = TextSlice::from(&text);
    if state.after_result {
        out.structure(RESULTS_END);
        out.begin_answer();
    } else {
        if let Some((_, close)) = turns.reasoning {
            text = out.after_reasoning(at, text, TextSlice::after_last, close);
        }
        out.open_answer();
    }
    out.finish_content(at, text);
    out.close_answer(turns.assistant.close);
    (state.after_user, state.after_result) = (false, false);
    Ok(())
}

const TOOLS: &str = "\n\n## Tools\nYou have access to the following tools:\n";
const TOOLS_END: &str = "\nIMPORTANT: ALWAYS adhere to this exact format for tool use:\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_call_name<｜tool▁sep｜>tool_call_arguments<｜tool▁call▁end｜>{{additional_tool_calls}}<｜tool▁calls▁end｜>\n\nWhere:\n\n- `tool_call_name` must be an exact match to one of the available tools\n- `tool_call_arguments` must be valid JSON that strictly follows the tool's Parameters Schema\n- For multiple tool calls, chain them directly without separators or spaces\n";

/// Tools after the instructions, as in the model's documentation: its chat template supports none, so that only
/// strict writing offers them.
fn write_tools(tools: &[Json], out: &mut FormatWriter<'_>) {
    out.structure(TOOLS);
    for (index, tool) in tools.iter().enumerate() {
        let origin = FieldOrigin::Tool(index);
        let function = tool.get("function").unwrap_or_else(|| tool.clone());
        let text = |key| {
            function
                .get(key)
                .map(|value| display(&value))
                .unwrap_or_default()
        };
        out.structure("\n### ");
        out.write_data(origin, &text("name"));
        out.structure("\nDescription: ");
        out.write_data(origin, &text("description"));
        out.structure("\n\nParameters: ");
        let parameters = function.get("parameters").map(|json| dumps(&json, None));
        out.write_data(origin, &parameters.unwrap_or_else(|| "{}".to_owned()));
        out.structure("\n");
    }
    out.structure(TOOLS_END);
}

/// V3.1, which reasons on request.
pub(crate) fn write_v3_1(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.reasoning.unwrap_or_default();
    write_system(chat, out)?;
    if let Some(tools) = chat
        .tools
        .as_ref()
        .filter(|tools| !tools.is_empty() && out.is_strict())
    {
        write_tools(tools, out);
    }
    let thinks = out.options.thinking == Some(true);
    let open_reasoning = |thinks: bool, out: &mut FormatWriter<'_>| {
        out.structure(open);
        out.structure(if thinks { "" } else { close });
    };
    // Whether the message before is the user's, and whether it is a tool's.
    let (mut after_user, mut after_result) = (false, false);
    for (at, turn) in chat.turns() {
        match turn.role() {
            Some(Role::Assistant) => {
                if !after_user {
                    out.begin_answer();
                } else {
                    out.open_answer();
                    let is_prefix = turn
                        .extra("prefix")
                        .is_some_and(|prefix| prefix.as_str() == "true");
                    open_reasoning(is_prefix && thinks && !turn.has_calls(), out);
                }
                let text = out.text(at, &turn)?;
                let mut text = TextSlice::from(&text);
                if !after_result && !turn.has_calls() {
                    text = out.after_reasoning(at, text, TextSlice::after, close);
                }
                out.finish_content(at, text);
                write_calls_v3_1(at, &turn, out)?;
                out.close_answer(turns.assistant.close);
            }
            Some(Role::User | Role::Tool) => out.write_turn(at, &turn, false)?,
            _ => continue,
        }
        (after_user, after_result) = (turn.has_role(Role::User), turn.has_role(Role::Tool));
    }
    if out.has_generation_prompt() && after_user {
        out.structure(turns.assistant.open);
        open_reasoning(thinks, out);
    }
    Ok(())
}

fn write_calls_v3_1(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.calls;
    if turn.has_calls() {
        out.structure(delimiters.section_open);
        out.write_calls(at, turn, "")?;
        out.structure(delimiters.section_close);
    }
    Ok(())
}

impl FormatWriter<'_> {
    /// The text of an answer without the reasoning in front of it.
    fn after_reasoning<'t>(
        &mut self,
        at: usize,
        text: TextSlice<'t>,
        after: fn(TextSlice<'t>, &str) -> TextSlice<'t>,
        close: &str,
    ) -> TextSlice<'t> {
        let close = close.trim();
        if text.contains(close) {
            self.omit_content(at);
        }
        after(text, close)
    }
}
