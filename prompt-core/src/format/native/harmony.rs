//! gpt-oss: harmony, with channels, a developer turn, and tools as TypeScript.

use super::chat::{ChatCall, ChatContent, ChatInput, ChatMessage};
use super::python::{display, dumps};
use super::typescript::namespace;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Result, Role};
use prompt_family::tokens::gpt_oss::{
    ANALYSIS, CALL, CALL_CHANNEL, CALLED_TOOL, FINAL, MESSAGE, REASONING, RESULT, RESULT_CHANNEL,
    SYSTEM,
};

const BROWSER: &str = include_str!("harmony_browser.txt");
const PYTHON: &str = include_str!("harmony_python.txt");

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let tools = chat.tools.as_deref().unwrap_or_default();
    write_system(!tools.is_empty(), out);
    let developer = chat
        .first()
        .filter(|turn| turn.is_named("developer") || turn.has_role(Role::System));
    let text = developer
        .map(|turn| out.printed_text(0, &turn))
        .transpose()?
        .unwrap_or_default();
    let instructed = developer.is_some() && out.has_text(0, TextSlice::from(&text));
    if instructed || !tools.is_empty() {
        out.structure(delimiters.open);
        if instructed {
            out.structure("# Instructions\n\n");
            out.finish_content(0, TextSlice::from(&text));
            out.structure("\n\n");
        }
        if !tools.is_empty() {
            out.structure("# Tools\n\n");
            let lines = namespace("functions", tools);
            out.structure(&lines[0]);
            for (index, tool) in lines[1..=tools.len()].iter().enumerate() {
                out.write_data(FieldOrigin::Tool(index), tool);
            }
            out.structure(&lines[tools.len() + 1]);
        }
        out.structure(delimiters.close);
    }
    write_turns(chat, usize::from(developer.is_some()), out)?;
    out.write_end(chat);
    Ok(())
}

fn write_system(tools: bool, out: &mut FormatWriter<'_>) {
    let options = out.options;
    out.structure(SYSTEM);
    match &options.identity {
        Some(identity) => out.write_data(FieldOrigin::Option, identity),
        None => out.structure("You are ChatGPT, a large language model trained by OpenAI."),
    }
    let day = options.date_or_today();
    out.structure("\nKnowledge cutoff: 2024-06\nCurrent date: ");
    out.structure(&format!("{:04}-{:02}-{:02}", day.year, day.month, day.day));
    out.structure("\n\nReasoning: ");
    match &options.effort {
        Some(effort) => out.write_data(FieldOrigin::Option, effort),
        None => out.structure("medium"),
    }
    out.structure("\n\n");
    let builtin = options.builtin_tools.as_deref().unwrap_or_default();
    if !builtin.is_empty() {
        let has = |name: &str| builtin.iter().any(|tool| tool == name);
        out.structure("# Tools\n\n");
        out.structure(if has("browser") { BROWSER } else { "" });
        out.structure(if has("python") { PYTHON } else { "" });
    }
    out.structure("# Valid channels: analysis, commentary, final. Channel must be included for every message.");
    out.structure(if tools {
        "\nCalls to these tools must go to the commentary channel: 'functions'."
    } else {
        ""
    });
    out.structure(out.family.turns.system.delimiters.close);
}

fn write_turns(chat: &ChatInput<'_>, first: usize, out: &mut FormatWriter<'_>) -> Result<()> {
    let mut called = Vec::new();
    for (at, turn) in chat.turns().skip(first) {
        match turn.role() {
            Some(Role::Assistant) => {
                no_channels(at, &turn, out)?;
                match turn.call_count() {
                    Some(_) => called = write_calls(at, &turn, chat, out)?,
                    None => {
                        let is_last = at + 1 == chat.len() && !out.has_generation_prompt();
                        write_answer(at, &turn, is_last, out)?;
                        called.clear();
                    }
                }
            }
            Some(Role::Tool) => {
                let by_id = called
                    .iter()
                    .find(|call: &&ChatCall| call.is_answered_by(&turn));
                let (what, help) = match (&called[..], by_id) {
                    (_, Some(call)) | ([call], None) => {
                        write_result(at, &turn, &call.name, out)?;
                        continue;
                    }
                    ([], None) => (
                        "is a tool's result without a call before it",
                        "put the assistant's call before it",
                    ),
                    _ => (
                        "is the result of one of several calls, without the id of any",
                        "give the call and its result the same id",
                    ),
                };
                return Err(out.unsupported_message(at, &turn, what, help));
            }
            Some(Role::User) => {
                out.write_message(at, &turn, &out.family.turns.user, false)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn write_result(
    at: usize,
    turn: &ChatMessage<'_>,
    name: &str,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    out.structure(RESULT);
    out.write_data(FieldOrigin::CallId(at), name);
    out.structure(RESULT_CHANNEL);
    out.write_json(at, turn)?;
    out.structure(out.family.turns.user.close);
    Ok(())
}

/// Channels are the format's: a client that sends them back inside a text has not read the answer.
fn no_channels(at: usize, turn: &ChatMessage<'_>, out: &FormatWriter<'_>) -> Result<()> {
    let has = |text: &str| [ANALYSIS, FINAL].iter().any(|header| text.contains(header));
    let content = match turn.content() {
        ChatContent::Text(text) => has(text.as_str()),
        _ => false,
    };
    if content || turn.reasoning().is_some_and(|text| has(text.as_str())) {
        let help = "give the analysis as reasoning, and the final answer as content";
        return Err(out.unsupported_message(at, turn, "contains channel headers", help));
    }
    Ok(())
}

/// Writes the calls of a message, each as a message of harmony, and returns them; the analysis stays until there is a final answer.
///
/// The model's chat template writes the first call only.
fn write_calls(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<Vec<ChatCall>> {
    let end = out.family.turns.assistant.close;
    let mut calls = turn.tool_calls().unwrap_or_default().into_owned();
    if calls.is_empty() {
        return Err(out.unsupported_message(
            at,
            turn,
            "holds an empty list of tool calls",
            "leave the list out",
        ));
    }
    calls.truncate(if out.is_strict() { usize::MAX } else { 1 });
    let text = out.printed_text(at, turn)?;
    let has_text = out.has_text(at, TextSlice::from(&text));
    let reasoning = turn.reasoning().filter(|text| !text.is_empty());
    if has_text && reasoning.is_some() {
        return Err(out.unsupported_message(
            at,
            turn,
            "holds both a content and reasoning beside a tool call",
            "leave one of them out",
        ));
    }
    let answered = chat
        .turns()
        .skip(at + 1)
        .any(|(_, turn)| turn.has_role(Role::Assistant) && turn.call_count().is_none());
    if answered {
        out.omit_content(at);
    } else if has_text || reasoning.is_some() {
        out.open_answer_with(REASONING);
        match reasoning {
            Some(reasoning) => out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning)),
            None => out.finish_content(at, TextSlice::from(&text)),
        }
        out.structure(end);
    }
    for (index, call) in calls.iter().enumerate() {
        let origin = FieldOrigin::Call(at, index);
        out.open_answer_with(CALLED_TOOL);
        out.write_name(origin, &call.name)?;
        out.structure(CALL_CHANNEL);
        match call.function.iter().find(|entry| entry.0 == "content_type") {
            Some((_, kind)) => out.write_name(origin, &display(kind))?,
            None => out.structure("json"),
        }
        out.structure(MESSAGE);
        out.write_data(origin, &dumps(&out.arguments(call), None));
        out.close_answer(CALL);
    }
    Ok(calls)
}

fn write_answer(
    at: usize,
    turn: &ChatMessage<'_>,
    is_last: bool,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    if let (Some(reasoning), true) = (turn.reasoning(), is_last) {
        out.open_answer_with(REASONING);
        out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
        out.structure(out.family.turns.assistant.close);
    }
    out.write_answer(at, turn, is_last)
}
