//! Nemotron 3: tools as tags in the system message, the arguments of calls between tags, and reasoning that can be turned off.

use prompt_family::{EffortText, Trim};

use super::chat::{ChatContent, ChatInput, ChatMessage};
use super::qwen_coder::{write_result, write_tools};
use super::qwen3_5::{CALLS, TOOLS};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Result, Role};

pub(crate) fn write_chat(
    chat: &ChatInput<'_>,
    effort: Option<EffortText>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let thinks = out.options.thinking != Some(false);
    let effort = out.effort_text(effort.as_slice(), thinks)?;
    write_head(chat, out)?;
    let question = chat.last_user();
    let keeps_all = out.keep_reasoning() == Some(true);
    for (at, turn) in chat.turns().skip(usize::from(chat.system().is_some())) {
        match turn.role() {
            Some(Role::Assistant) => {
                let is_recent = question.is_none_or(|question| at > question);
                write_assistant(at, &turn, keeps_all || is_recent, chat, out)?;
            }
            Some(Role::Tool) => write_result(at, &turn, chat, out)?,
            Some(Role::User) if Some(at) == question => {
                out.structure(turns.user.open);
                out.write_content(at, &turn, &turns.user)?;
                out.structure(effort);
                out.structure(turns.user.close);
            }
            _ => out.write_turn(at, &turn, false)?,
        }
    }
    if out.has_generation_prompt() && !thinks {
        out.structure(turns.assistant.open);
        out.structure(turns.no_reasoning);
    } else {
        out.write_end(chat);
    }
    Ok(())
}

/// The system message, which is always there, with the tools in it.
fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let tools = chat.tools.as_deref().unwrap_or_default();
    out.structure(delimiters.open);
    if let Some(system) = chat.system() {
        let text = out.text(0, &system)?;
        let text = TextSlice::from(&text);
        out.finish_content(0, text);
        let is_before_tools = out.has_text(0, text) && !tools.is_empty();
        out.structure(if is_before_tools { "\n\n" } else { "" });
    }
    if !tools.is_empty() {
        out.structure(TOOLS);
        write_tools(tools, &["enum"], &["required"], out)?;
        out.structure(CALLS);
    }
    out.structure(delimiters.close);
    Ok(())
}

fn write_assistant(
    at: usize,
    turn: &ChatMessage<'_>,
    keeps_reasoning: bool,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.reasoning.unwrap_or_default();
    let calls = turn.tool_calls().unwrap_or_default();
    let reasoning = turn.reasoning().map(TextSlice::new);
    let reasoning = reasoning.filter(|text| !text.strip().is_empty());
    // The template prints a list, but not beside calls.
    let is_list = matches!(turn.content(), ChatContent::Json(_)) && !out.is_strict();
    let is_dropped = is_list && reasoning.is_none() && !calls.is_empty();
    let whole = match is_dropped {
        true => out.only_text(at, turn)?,
        false => out.printed_text(at, turn)?,
    };
    let text = TextSlice::from(&whole);
    let (has_open, has_close) = (text.contains(open.trim()), text.contains(close.trim()));
    // A text with tags of its own is written as it is.
    let is_bare = reasoning.is_none() && (is_list || has_open || has_close);
    out.open_answer();
    if keeps_reasoning {
        match reasoning {
            Some(reasoning) => {
                out.structure(open);
                out.slice(FieldOrigin::Reasoning(at), reasoning);
                let has_text = out.has_text(at, text.strip());
                out.structure(if has_text { close } else { close.trim_end() });
            }
            None if is_bare && !is_dropped => {}
            None => out.structure(turns.no_reasoning),
        }
        out.finish_content(
            at,
            match is_bare {
                true => text.strip(),
                false => text.strip_end(),
            },
        );
    } else {
        let parts = MessageParts {
            is_bare,
            has_reasoning: reasoning.is_some(),
            has_calls: !calls.is_empty(),
        };
        write_without_reasoning(at, text, parts, out);
    }
    out.structure(if calls.is_empty() || is_dropped {
        ""
    } else {
        "\n"
    });
    out.write_tagged_calls(at, turn, chat)?;
    out.close_answer(turns.assistant.close);
    Ok(())
}

/// What a message of the assistant has beside its text.
#[derive(Clone, Copy)]
struct MessageParts {
    /// The text has the tags of reasoning itself, or is a list, and there is no other reasoning.
    is_bare: bool,
    has_reasoning: bool,
    has_calls: bool,
}

/// Writes the text of a message whose reasoning is left out, also reasoning in the text.
fn write_without_reasoning(
    at: usize,
    text: TextSlice<'_>,
    parts: MessageParts,
    out: &mut FormatWriter<'_>,
) {
    let MessageParts {
        is_bare,
        has_reasoning,
        has_calls,
    } = parts;
    let turns = &out.family.turns;
    let (open, close) = turns.reasoning.unwrap_or_default();
    let (has_open, has_close) = (text.contains(open.trim()), text.contains(close.trim()));
    let is_cut = has_close && (has_reasoning || has_open || has_calls);
    let rest = match () {
        () if is_cut => text.after_last(close.trim()),
        () if is_bare && has_open && has_calls => text.before(open.trim()),
        () => text,
    };
    if rest.len() < text.len() {
        out.omit_content(at);
    }
    if is_bare && !is_cut && !has_calls {
        return out.finish_content(at, rest.strip());
    }
    out.structure(turns.no_reasoning);
    let rest = match (has_calls, turns.assistant.trim) {
        (true, Trim::Nothing) => rest,
        (true, _) => rest.strip(),
        (false, _) => {
            // What the template writes after the reasoning remains.
            let has_text = out.has_text(at, rest.strip());
            let remains = has_reasoning && !has_close && has_text;
            let after = &close[close.trim_end().len()..];
            out.structure(if remains { after } else { "" });
            rest.strip_end()
        }
    };
    out.finish_content(at, rest);
}
