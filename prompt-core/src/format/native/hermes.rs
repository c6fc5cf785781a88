//! ChatML with tools in the Hermes manner: Qwen 2.5 and Qwen 3.

use super::Style;
use super::chat::{Call, Chat, Turn};
use super::out::{Origin, Out};
use super::python::dumps;
use super::read::{ReadMark, Reading};
use super::words::Words;
use crate::json::Shape;
use crate::{Result, Role};

pub(crate) struct Hermes {
    /// What the system turn says when none is given.
    pub(crate) system: Option<&'static str>,
    /// Whether the model thinks: its reasoning stands in the turns after the last question.
    pub(crate) thinks: bool,
}

const TOOLS: &str = "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>";
const CALLS: &str = "\n</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>";

impl Style for Hermes {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        self.head(chat, out)?;
        let question = self.last_question(chat, out);
        for (at, turn) in chat.turns.iter().enumerate() {
            match &*turn.role {
                "system" if at == 0 => {}
                "user" | "system" => {
                    let text = if self.thinks {
                        out.only_text(at, turn)?
                    } else {
                        out.text(at, turn)?
                    };
                    out.raw("<|im_start|>");
                    out.raw(if turn.is("user") {
                        "user\n"
                    } else {
                        "system\n"
                    });
                    out.say(at, Words::from(&text));
                    out.raw("<|im_end|>\n");
                }
                "assistant" if self.thinks => {
                    thinking(at, turn, at > question, at + 1 == chat.turns.len(), out)?;
                }
                "assistant" => plain(at, turn, out)?,
                "tool" => self.result(at, chat, out)?,
                _ => {}
            }
        }
        if out.answers() {
            out.raw("<|im_start|>assistant\n");
            if self.thinks && out.options.thinking == Some(false) {
                out.raw("<think>\n\n</think>\n\n");
            }
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading {
            marks: vec![
                ReadMark::new(Role::System, "<|im_start|>system\n", "<|im_end|>\n"),
                ReadMark::new(Role::User, "<|im_start|>user\n", "<|im_end|>\n"),
                ReadMark::new(Role::Assistant, "<|im_start|>assistant\n", "<|im_end|>\n"),
            ],
            results: Some(("<tool_response>\n", "\n</tool_response>")),
            thought: self.thinks.then_some(("<think>\n", "\n</think>\n\n")),
            ..Reading::default()
        }
    }
}

impl Hermes {
    fn head(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        let tools = chat.tools.as_deref().unwrap_or_default();
        let system = chat.turns.first().filter(|turn| turn.is("system"));
        if tools.is_empty() && system.is_none() && self.system.is_none() {
            return Ok(());
        }
        out.raw("<|im_start|>system\n");
        match system {
            Some(turn) if !tools.is_empty() && !self.thinks => {
                out.say(0, Words::from(&out.shown(0, turn)?));
            }
            Some(turn) => out.say(0, Words::from(&out.text(0, turn)?)),
            None => out.raw(self.system.unwrap_or_default()),
        }
        if !tools.is_empty() {
            if system.is_some() || self.system.is_some() {
                out.raw("\n\n");
            }
            out.raw(TOOLS);
            for (index, tool) in tools.iter().enumerate() {
                out.raw("\n");
                out.data(Origin::Tool(index), &dumps(tool, None));
            }
            out.raw(CALLS);
        }
        out.raw("<|im_end|>\n");
        Ok(())
    }

    /// Where the user last asked something; a tool's result in a user turn is no question.
    fn last_question(&self, chat: &Chat<'_>, out: &Out<'_>) -> usize {
        let asks = |(at, turn): (usize, &Turn<'_>)| {
            let whole = out.only_text(at, turn).unwrap_or_default();
            let text = whole.as_str();
            let is_text = !out.is_strict() && matches!(turn.content, super::chat::Content::Text(_))
                || out.is_strict();
            let is_result = text.starts_with("<tool_response>")
                && text.ends_with("</tool_response>")
                && !out.is_open(at)
                && !out.guards(&whole, &(0..1));
            turn.is("user") && is_text && !is_result
        };
        let last = chat.turns.len() - 1;
        (0..=last)
            .rev()
            .find(|at| asks((*at, &chat.turns[*at])))
            .unwrap_or(last)
    }

    fn result(&self, at: usize, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        let turn = &chat.turns[at];
        let text = if self.thinks {
            out.only_text(at, turn)?
        } else {
            out.shown(at, turn)?
        };
        if at == 0 || !chat.turns[at - 1].is("tool") {
            out.raw("<|im_start|>user");
        }
        out.raw("\n<tool_response>\n");
        out.say(at, Words::from(&text));
        out.raw("\n</tool_response>");
        if chat.turns.get(at + 1).is_none_or(|next| !next.is("tool")) {
            out.raw("<|im_end|>\n");
        }
        Ok(())
    }
}

fn plain(at: usize, turn: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
    let text = out.text(at, turn)?;
    let words = Words::from(&text);
    out.raw("<|im_start|>assistant");
    if !turn.has_calls() || out.has(at, words) {
        out.raw("\n");
        out.say(at, words);
    }
    for (index, call) in turn.calls().unwrap_or_default().iter().enumerate() {
        out.raw("\n");
        let arguments = dumps(&out.arguments(call), None);
        write_call(Origin::Call(at, index), call, &arguments, out)?;
    }
    out.raw("<|im_end|>\n");
    Ok(())
}

fn thinking(at: usize, turn: &Turn<'_>, recent: bool, last: bool, out: &mut Out<'_>) -> Result<()> {
    let text = out.only_text(at, turn)?;
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
    out.raw("<|im_start|>assistant\n");
    if recent && (last || reasoning.is_some_and(|(_, thought)| !thought.is_empty())) {
        out.raw("<think>\n");
        if let Some((origin, thought)) = reasoning {
            out.piece(origin, thought.strip_lines());
        }
        out.raw("\n</think>\n\n");
        out.say(at, words.strip_lines_start());
    } else {
        out.say(at, words);
    }
    for (index, call) in turn.calls().unwrap_or_default().iter().enumerate() {
        if index > 0 || out.has(at, words) {
            out.raw("\n");
        }
        let arguments = match call.arguments.shape() {
            Shape::String => call.arguments.as_string().unwrap_or_default(),
            _ => dumps(&call.arguments, None),
        };
        write_call(Origin::Call(at, index), call, &arguments, out)?;
    }
    out.raw("<|im_end|>\n");
    Ok(())
}

fn write_call(origin: Origin, call: &Call, arguments: &str, out: &mut Out<'_>) -> Result<()> {
    out.raw("<tool_call>\n{\"name\": \"");
    out.word(origin, &call.name)?;
    out.raw("\", \"arguments\": ");
    out.data(origin, arguments);
    out.raw("}\n</tool_call>");
    Ok(())
}
