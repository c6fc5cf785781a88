//! Qwen 3.5, 3.6 and 3.8: the arguments of tool calls between tags, images, and a generation prompt that opens the reasoning.

use super::chat::{ChatInput, ChatMessage, ContentItem};
use super::python::dumps;
use super::qwen::{close_result, is_result};
use super::writer::{FieldOrigin, FormatWriter, ItemTrim, TextSlice};
use crate::format::FormatOption;
use crate::{Result, Role};

/// Before the tools.
pub(super) const TOOLS: &str = "# Tools\n\nYou have access to the following functions:\n\n<tools>";
/// After the tools.
pub(super) const CALLS: &str = "\n</tools>\n\nIf you choose to call a function ONLY reply in the following format with NO suffix:\n\n<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n<parameter=example_parameter_2>\nThis is the value for the second parameter\nthat can span\nmultiple lines\n</parameter>\n</function>\n</tool_call>\n\n<IMPORTANT>\nReminder:\n- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags\n- Required parameters MUST be specified\n- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after\n- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls\n</IMPORTANT>";

const XHIGH: &str = "Reasoning effort is set to xhigh. Please think carefully through the task, validate key assumptions, consider plausible alternatives, and prioritize correctness, consistency, and clarity in the final answer.";
const LOW: &str = "Reasoning effort is set to low. Keep your thinking brief and focused, moving directly to the conclusion without unnecessary elaboration.";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    write_head(chat, out)?;
    let question = last_question(chat, str::trim, out).ok_or_else(|| {
        let what = "the conversation has no question of the user";
        out.unsupported(what).with_help("add a user message")
    })?;
    let keeps_all = out.keep_reasoning().unwrap_or(turns.keeps_reasoning);
    for (at, turn) in chat.turns() {
        match turn.role() {
            Some(Role::System) if at == 0 => {}
            Some(Role::User) => {
                out.structure(turns.user.open);
                write_content(at, &turn, out)?;
                out.structure(turns.user.close);
            }
            Some(Role::Assistant) => {
                write_assistant(at, &turn, keeps_all || at > question, chat, out)?;
            }
            Some(Role::Tool) => write_result(at, &turn, chat, out)?,
            _ => return Err(out.unsupported_role(at, &turn)),
        }
    }
    out.write_end(chat);
    if let (true, Some((open, close))) = (out.has_generation_prompt(), turns.reasoning) {
        let is_opened = turns.generation_prompt().ends_with(open);
        out.structure(if is_opened { "" } else { open });
        out.structure(match out.options.thinking.unwrap_or(is_opened) {
            true => "",
            false => close,
        });
    }
    Ok(())
}

/// The instruction for the reasoning effort.
fn effort_instruction(out: &FormatWriter<'_>) -> Result<&'static str> {
    let thinks = out.options.thinking != Some(false);
    let effort = out.requested_effort(thinks)?;
    if !thinks || !out.family.options.contains(&FormatOption::Effort) {
        return Ok("");
    }
    match effort {
        None | Some("xhigh") => Ok(XHIGH),
        Some("medium") => Ok(""),
        Some("low") => Ok(LOW),
        Some(other) => {
            let what = format!("the reasoning effort is `{}`", other.escape_debug());
            Err(out
                .unsupported(&what)
                .with_help("use `xhigh`, `medium` or `low`"))
        }
    }
}

fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let tools = chat.tools.as_deref().unwrap_or_default();
    let effort = effort_instruction(out)?;
    let system = chat.system();
    let text = out.system_text(chat)?;
    let text = TextSlice::from(&text).strip();
    let has_text = system.is_some() && out.has_text(0, text);
    let drops_empty = out.family.options.contains(&FormatOption::Effort);
    if tools.is_empty() && effort.is_empty() && (system.is_none() || drops_empty && !has_text) {
        return Ok(());
    }
    out.structure(delimiters.open);
    out.structure(effort);
    if !tools.is_empty() {
        out.structure(if effort.is_empty() { "" } else { "\n\n" });
        out.structure(TOOLS);
        for (index, tool) in tools.iter().enumerate() {
            out.structure("\n");
            out.write_data(FieldOrigin::Tool(index), &dumps(tool, None));
        }
        out.structure(CALLS);
    }
    if has_text {
        out.structure(if tools.is_empty() && effort.is_empty() {
            ""
        } else {
            "\n\n"
        });
        out.finish_content(0, text);
    }
    out.structure(delimiters.close);
    Ok(())
}

/// The index of the user's last question; a tool's result in a user message is not a question. `trim` is what the template does
/// to a text before it looks for the tags of a result.
pub(super) fn last_question(
    chat: &ChatInput<'_>,
    trim: impl Fn(&str) -> &str,
    out: &FormatWriter<'_>,
) -> Option<usize> {
    let (open, close) = out.family.turns.results.unwrap_or_default();
    let is_question = |&(at, turn): &(usize, ChatMessage<'_>)| {
        if !turn.has_role(Role::User) {
            return false;
        }
        let whole = out.text(at, &turn).unwrap_or_default();
        let text = trim(whole.as_str());
        let is_result = text.starts_with(open.trim())
            && text.ends_with(close.trim())
            && !out.is_open(at)
            && !out.is_guarded_data(&whole, &(0..1));
        !is_result
    };
    let last = chat.turns().filter(is_question).last();
    last.map(|(at, _)| at)
}

/// The content, trimmed, with a placeholder for each image.
fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let Some(items) = turn.items() else {
        let text = out.text(at, turn)?;
        out.finish_content(at, TextSlice::from(&text).strip());
        return Ok(());
    };
    for item in items {
        match item {
            ContentItem::Text(_) => {}
            ContentItem::Media(kind, _) if out.takes_media(kind) => {}
            ContentItem::Media(kind, _) => return Err(out.media_error(at, turn, kind)),
            ContentItem::Other(_) => return Err(out.part_error(at, turn)),
        }
    }
    out.write_items(at, turn, ItemTrim::Ends)
}

fn write_assistant(
    at: usize,
    turn: &ChatMessage<'_>,
    keeps_reasoning: bool,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let whole = out.text(at, turn)?;
    let text = TextSlice::from(&whole).strip();
    let (reasoning, text) = match turns.keeps_reasoning {
        // The template that keeps all reasoning does not search for it in the text.
        true => (
            turn.reasoning()
                .map(|text| (FieldOrigin::Reasoning(at), TextSlice::new(text))),
            text,
        ),
        false => out.reasoning_in(at, turn, text),
    };
    out.open_answer();
    if let (true, Some((open, close))) = (keeps_reasoning, turns.reasoning) {
        out.structure(open);
        if let Some((origin, reasoning)) = reasoning {
            out.slice(origin, reasoning.strip());
        }
        out.structure(close);
    }
    out.finish_content(at, text);
    for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
        out.structure(match index {
            0 if out.has_text(at, text.strip()) => "\n\n",
            0 => "",
            _ => "\n",
        });
        out.write_tagged_call((at, turn), (index, call), chat)?;
    }
    out.close_answer(turns.assistant.close);
    Ok(())
}

fn write_result(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, _) = turns.results.unwrap_or_default();
    if at > 0 && !is_result(chat.turn(at - 1)) {
        out.structure(turns.user.open.trim_end());
    }
    out.structure("\n");
    out.structure(open);
    write_content(at, turn, out)?;
    close_result(at, chat, out);
    Ok(())
}
