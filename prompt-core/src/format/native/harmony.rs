//! gpt-oss: harmony, with channels, a developer turn, and tools as TypeScript.

use super::chat::{Chat, Content, Turn};
use super::out::{Origin, Out};
use super::python::{display, dumps};
use super::typescript::namespace;
use super::words::Words;
use crate::Result;
use crate::syntax::family::gpt_oss::{
    ANALYSIS, ASSISTANT, CALL, CHANNEL, FINAL, MESSAGE, RESULT, SYSTEM,
};
use crate::syntax::join;

const BROWSER: &str = include_str!("harmony_browser.txt");
const PYTHON: &str = include_str!("harmony_python.txt");

pub(crate) fn write(chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let tools = chat.tools.as_deref().unwrap_or_default();
    system(!tools.is_empty(), out);
    let developer = chat
        .turns
        .first()
        .filter(|turn| turn.is("developer") || turn.is("system"));
    let text = developer
        .map(|turn| out.shown(0, turn))
        .transpose()?
        .unwrap_or_default();
    let instructed = developer.is_some() && out.has(0, Words::from(&text));
    if instructed || !tools.is_empty() {
        out.raw(delimiters.open);
        if instructed {
            out.raw("# Instructions\n\n");
            out.say(0, Words::from(&text));
            out.raw("\n\n");
        }
        if !tools.is_empty() {
            out.raw("# Tools\n\n");
            let lines = namespace("functions", tools);
            out.raw(&lines[0]);
            for (index, tool) in lines[1..=tools.len()].iter().enumerate() {
                out.data(Origin::Tool(index), tool);
            }
            out.raw(&lines[tools.len() + 1]);
        }
        out.raw(delimiters.close);
    }
    turns(chat, usize::from(developer.is_some()), out)?;
    out.end(chat);
    Ok(())
}

fn system(tools: bool, out: &mut Out<'_>) {
    let options = out.options;
    out.raw(SYSTEM);
    match &options.identity {
        Some(identity) => out.data(Origin::Option, identity),
        None => out.raw("You are ChatGPT, a large language model trained by OpenAI."),
    }
    let day = options.day();
    out.raw("\nKnowledge cutoff: 2024-06\nCurrent date: ");
    out.raw(&format!("{:04}-{:02}-{:02}", day.year, day.month, day.day));
    out.raw("\n\nReasoning: ");
    match &options.effort {
        Some(effort) => out.data(Origin::Option, effort),
        None => out.raw("medium"),
    }
    out.raw("\n\n");
    let builtin = options.builtin_tools.as_deref().unwrap_or_default();
    if !builtin.is_empty() {
        let has = |name: &str| builtin.iter().any(|tool| tool == name);
        out.raw("# Tools\n\n");
        out.raw(if has("browser") { BROWSER } else { "" });
        out.raw(if has("python") { PYTHON } else { "" });
    }
    out.raw("# Valid channels: analysis, commentary, final. Channel must be included for every message.");
    out.raw(if tools {
        "\nCalls to these tools must go to the commentary channel: 'functions'."
    } else {
        ""
    });
    out.raw(out.family.turns.system.delimiters.close);
}

fn turns(chat: &Chat<'_>, first: usize, out: &mut Out<'_>) -> Result<()> {
    let mut called: Option<&str> = None;
    for (at, turn) in chat.turns.iter().enumerate().skip(first) {
        match &*turn.role {
            "assistant" => {
                no_channels(at, turn, out)?;
                match turn.calls() {
                    Some(_) => called = Some(call(at, chat, out)?),
                    None => {
                        let is_last = at + 1 == chat.turns.len() && !out.answers();
                        answer(at, turn, is_last, out)?;
                        called = None;
                    }
                }
            }
            "tool" => {
                let Some(name) = called else {
                    return Err(out.cannot(
                        at,
                        turn,
                        "is a tool's result without a call before it",
                        "put the assistant's call before it",
                    ));
                };
                out.raw(RESULT);
                out.data(Origin::CallId(at), name);
                out.raw(join!(" to=assistant", CHANNEL, "commentary", MESSAGE));
                out.json(at, turn)?;
                out.raw(out.family.turns.user.close);
            }
            "user" => {
                out.message(at, turn, &out.family.turns.user, false)?;
            }
            _ => {}
        }
    }
    Ok(())
}
/// Channels are the format's: a client that sends them back inside a text has not read the answer.
fn no_channels(at: usize, turn: &Turn<'_>, out: &Out<'_>) -> Result<()> {
    let has = |text: &str| [ANALYSIS, FINAL].iter().any(|header| text.contains(header));
    let content = match &turn.content {
        Content::Text(text) => has(text.as_str()),
        _ => false,
    };
    if content || turn.reasoning().is_some_and(|text| has(text.as_str())) {
        let help = "give the analysis as reasoning, and the final answer as content";
        return Err(out.cannot(at, turn, "holds channel marks", help));
    }
    Ok(())
}

/// A call, which is one a message; its analysis stays until there is a final answer.
fn call<'c>(at: usize, chat: &'c Chat<'_>, out: &mut Out<'_>) -> Result<&'c str> {
    let end = out.family.turns.assistant.close;
    let turn = &chat.turns[at];
    let Some(call) = turn.calls().unwrap_or_default().first() else {
        return Err(out.cannot(
            at,
            turn,
            "holds an empty list of tool calls",
            "leave the list out",
        ));
    };
    let text = out.shown(at, turn)?;
    let has_text = out.has(at, Words::from(&text));
    let reasoning = turn.reasoning().filter(|text| !text.is_empty());
    if has_text && reasoning.is_some() {
        return Err(out.cannot(
            at,
            turn,
            "holds both a content and reasoning beside a tool call",
            "leave one of them out",
        ));
    }
    let answered = chat.turns[at + 1..]
        .iter()
        .any(|turn| turn.is("assistant") && turn.calls().is_none());
    if answered {
        out.omit(at);
    } else if has_text || reasoning.is_some() {
        out.raw(join!(ASSISTANT, ANALYSIS));
        match reasoning {
            Some(reasoning) => out.piece(Origin::Reasoning(at), Words::new(reasoning)),
            None => out.say(at, Words::from(&text)),
        }
        out.raw(end);
    }
    let origin = Origin::Call(at, 0);
    out.raw(join!(ASSISTANT, " to=functions."));
    out.word(origin, &call.name)?;
    out.raw(join!(CHANNEL, "commentary "));
    match call.function.iter().find(|entry| entry.0 == "content_type") {
        Some((_, kind)) => out.word(origin, &display(kind))?,
        None => out.raw("json"),
    }
    out.raw(MESSAGE);
    out.data(origin, &dumps(&out.arguments(call), None));
    out.raw(CALL);
    Ok(&call.name)
}

fn answer(at: usize, turn: &Turn<'_>, is_last: bool, out: &mut Out<'_>) -> Result<()> {
    let assistant = &out.family.turns.assistant;
    if let (Some(reasoning), true) = (turn.reasoning(), is_last) {
        out.raw(join!(ASSISTANT, ANALYSIS));
        out.piece(Origin::Reasoning(at), Words::new(reasoning));
        out.raw(assistant.close);
    }
    out.message(at, turn, assistant, is_last)
}
