//! GLM-4 and GLM-4.5.

use super::Style;
use super::chat::{Call, Chat, Content, Item, Turn};
use super::out::{Origin, Out};
use super::python::{display, dumps, list_to_text};
use super::read::{ReadMark, Reading};
use super::words::Words;
use crate::{Json, Result, Role, Text};

/// GLM-4: tools stand in a message of their own.
pub(crate) struct Glm4;

const INTRODUCTION: &str = "<|system|>\n你是一个名为 ChatGLM 的人工智能助手。你是基于智谱AI训练的语言模型 GLM-4 模型开发的，你的任务是针对用户的问题和要求提供适当的答复和支持。\n\n# 可用工具";

impl Style for Glm4 {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        out.raw("[gMASK]<sop>");
        // The model's own template takes tools only from a message, which is where strict writing puts them.
        if let (Some(tools), true) = (&chat.tools, out.is_strict()) {
            offer(tools, out);
        }
        for (at, turn) in chat.turns.iter().enumerate() {
            if let Some(tools) = turn.extra("tools").and_then(Json::items) {
                offer(&tools, out);
            }
            let text = out.shown(at, turn)?;
            let words = Words::from(&text);
            if out.has(at, words) {
                out.raw("<|");
                out.role(at, &turn.role);
                out.raw("|>");
                if let Some(metadata) = turn.extra("metadata") {
                    out.data(Origin::Role(at), &display(metadata));
                }
                out.raw("\n");
                out.say(at, words);
            }
        }
        if out.answers() {
            out.raw("<|assistant|>\n");
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading {
            marks: vec![
                ReadMark::unsaid(INTRODUCTION, ""),
                ReadMark::new(Role::System, "<|system|>\n", ""),
                ReadMark::new(Role::User, "<|user|>\n", ""),
                ReadMark::new(Role::Assistant, "<|assistant|>\n", ""),
                ReadMark::new(Role::Tool, "<|tool|>\n", ""),
                ReadMark::new(Role::Tool, "<|observation|>\n", ""),
            ],
            start: "[gMASK]<sop>",
            ..Reading::default()
        }
    }
}

fn offer(tools: &[Json], out: &mut Out<'_>) {
    out.raw(INTRODUCTION);
    for (index, tool) in tools.iter().enumerate() {
        let Some(function) = tool.get("function").filter(|_| {
            tool.get("type")
                .is_some_and(|kind| kind.as_str() == "\"function\"")
        }) else {
            continue;
        };
        let origin = Origin::Tool(index);
        out.raw("\n## ");
        out.data(
            origin,
            &function
                .get("name")
                .map(|name| display(&name))
                .unwrap_or_default(),
        );
        out.raw("\n\n");
        out.data(origin, &dumps(&function, Some(4)));
        out.raw("\n......");
    }
}

/// GLM-4.5: tools in front, arguments as XML, reasoning after the last question.
pub(crate) struct Glm45;

const TOOLS: &str = "<|system|>\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>\n";
const CALLS: &str = "</tools>\n\nFor each function call, output the function name and arguments within the following XML format:\n<tool_call>{function-name}\n<arg_key>{arg-key-1}</arg_key>\n<arg_value>{arg-value-1}</arg_value>\n<arg_key>{arg-key-2}</arg_key>\n<arg_value>{arg-value-2}</arg_value>\n...\n</tool_call>";

impl Style for Glm45 {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        out.raw("[gMASK]<sop>");
        if let Some(tools) = chat.tools.as_ref().filter(|tools| !tools.is_empty()) {
            out.raw(TOOLS);
            for (index, tool) in tools.iter().enumerate() {
                out.data(Origin::Tool(index), &dumps(tool, None));
                out.raw("\n");
            }
            out.raw(CALLS);
        }
        let question = chat.turns.iter().rposition(|turn| turn.is("user"));
        let no_thinking = out.options.thinking == Some(false);
        for (at, turn) in chat.turns.iter().enumerate() {
            match &*turn.role {
                "user" | "system" => {
                    let text = visible(at, turn, out)?;
                    out.raw(if turn.is("user") {
                        "<|user|>\n"
                    } else {
                        "<|system|>\n"
                    });
                    out.say(at, Words::from(&text));
                    let len = text.as_str().len();
                    let told =
                        text.as_str().ends_with("/nothink") && !out.guards(&text, &(len - 1..len));
                    if turn.is("user") && no_thinking && !told {
                        out.raw("/nothink");
                    }
                }
                "assistant" => {
                    assistant(at, turn, question.is_none_or(|question| at > question), out)?;
                }
                "tool" => result(at, chat, out)?,
                _ => {}
            }
        }
        if out.answers() {
            out.raw("<|assistant|>");
            out.raw(if no_thinking { "\n<think></think>" } else { "" });
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading {
            marks: vec![
                ReadMark::unsaid(TOOLS, ""),
                ReadMark::new(Role::System, "<|system|>\n", ""),
                ReadMark::new(Role::User, "<|user|>\n", ""),
                ReadMark::new(Role::Assistant, "<|assistant|>\n", ""),
                ReadMark::new(Role::Assistant, "<|assistant|>", ""),
                ReadMark::new(Role::Tool, "<|observation|>\n", ""),
            ],
            start: "[gMASK]<sop>",
            results: Some(("<tool_response>\n", "\n</tool_response>")),
            thought: Some(("<think>", "</think>\n")),
            ..Reading::default()
        }
    }
}

/// The text that a content shows: lists are joined, and what is no text in them is left out.
fn visible<'t>(at: usize, turn: &'t Turn<'_>, out: &Out<'_>) -> Result<std::borrow::Cow<'t, Text>> {
    let Some(items) = turn.items().filter(|_| !out.is_strict()) else {
        return out.shown(at, turn);
    };
    let mut whole = Text::new();
    for item in items {
        match item {
            Item::Text(text) => whole.push(&text),
            Item::Other(json) => json
                .as_string()
                .into_iter()
                .for_each(|text| whole.push(&text.into())),
            Item::Media(..) => {}
        }
    }
    Ok(std::borrow::Cow::Owned(whole))
}

fn assistant(at: usize, turn: &Turn<'_>, recent: bool, out: &mut Out<'_>) -> Result<()> {
    let text = visible(at, turn, out)?;
    let mut words = Words::from(&text);
    let mut reasoning = turn
        .reasoning()
        .map(|text| (Origin::Reasoning(at), Words::new(text)));
    if reasoning.is_none() && words.contains("</think>") {
        let thought = words
            .before("</think>")
            .strip_lines_end()
            .after_last("<think>")
            .strip_lines_start();
        reasoning = Some((Origin::Content(at), thought));
        words = words.after_last("</think>").strip_lines_start();
        out.omit(at);
    }
    out.raw("<|assistant|>\n<think>");
    if let Some((origin, thought)) = reasoning.filter(|_| recent) {
        out.piece(origin, thought.strip());
    }
    out.raw("</think>");
    if out.has(at, words.strip()) {
        out.raw("\n");
        out.say(at, words.strip());
    }
    for (index, call) in turn.calls().unwrap_or_default().iter().enumerate() {
        write_call(at, index, (turn, call), out)?;
    }
    Ok(())
}

fn write_call(
    at: usize,
    index: usize,
    (turn, call): (&Turn<'_>, &Call),
    out: &mut Out<'_>,
) -> Result<()> {
    let origin = Origin::Call(at, index);
    out.raw("\n<tool_call>");
    out.word(origin, &call.name)?;
    out.raw("\n");
    // The model's own template fails on arguments that are a string; here it is read.
    let inner = call
        .arguments
        .as_string()
        .and_then(|text| Json::parse(&text).ok());
    let entries = inner.as_ref().unwrap_or(&call.arguments).entries();
    let entries = entries.ok_or_else(|| {
        out.cannot(
            at,
            turn,
            "calls a tool with arguments that are no object",
            "give them as an object",
        )
    })?;
    for (key, value) in entries {
        out.raw("<arg_key>");
        out.data(origin, &key);
        out.raw("</arg_key>\n<arg_value>");
        out.data(
            origin,
            &value.as_string().unwrap_or_else(|| dumps(&value, None)),
        );
        out.raw("</arg_value>\n");
    }
    out.raw("</tool_call>");
    Ok(())
}

fn result(at: usize, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
    let turn = &chat.turns[at];
    let list = match &turn.content {
        Content::Json(json) if !out.is_strict() => json.items(),
        Content::Absent if !out.is_strict() => Some(Vec::new()),
        _ => None,
    };
    if list.is_some() || at == 0 || !chat.turns[at - 1].is("tool") {
        out.raw("<|observation|>");
    }
    let Some(list) = list else {
        out.raw("\n<tool_response>\n");
        out.say(at, Words::from(&out.text(at, turn)?));
        out.raw("\n</tool_response>");
        return Ok(());
    };
    let last = list.iter().rposition(|item| item.get("text").is_some());
    for (index, item) in list.into_iter().enumerate() {
        out.raw("\n<tool_response>\n");
        if Some(index) == last && out.is_open(at) {
            // The text of this item is gone on with, so what Python prints of the item ends there.
            let open = list_to_text(&Json::list(&[item]), false).unwrap_or_default();
            out.data(Origin::Content(at), open.trim_start_matches('['));
            out.seal(at);
        } else {
            let item = item.get("output").unwrap_or(item);
            out.data(Origin::Content(at), &display(&item));
        }
        out.raw("\n</tool_response>");
    }
    Ok(())
}
