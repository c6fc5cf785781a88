//! DeepSeek from V3 on: system messages in front, tools' results between marks, reasoning.

use super::Style;
use super::chat::{Call, Chat, Turn};
use super::out::{Origin, Out};
use super::python::{display, dumps};
use super::read::{ReadMark, Reading};
use super::words::Words;
use crate::json::Shape;
use crate::{Json, Result, Role};

/// V3 and R1.
pub(crate) struct DeepSeek {
    /// R1 opens the answer with its reasoning, and begins blocks of calls and of results only once.
    pub(crate) thinks: bool,
}

/// V3.1, which thinks on demand.
pub(crate) struct DeepSeekV31;

const BOS: &str = "<｜begin▁of▁sentence｜>";
const EOS: &str = "<｜end▁of▁sentence｜>";
const ASSISTANT: &str = "<｜Assistant｜>";
const CALLS_END: &str = "<｜tool▁calls▁end｜><｜end▁of▁sentence｜>";
const RESULTS_END: &str = "<｜tool▁outputs▁end｜>";

/// All system messages, wherever they stand, with an empty line between them.
fn system(chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
    out.raw(BOS);
    let systems = chat
        .turns
        .iter()
        .enumerate()
        .filter(|(_, turn)| turn.is("system"));
    for (index, (at, turn)) in systems.enumerate() {
        out.raw(if index > 0 { "\n\n" } else { "" });
        out.say(at, Words::from(&out.text(at, turn)?));
    }
    Ok(())
}

fn user(at: usize, turn: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
    out.raw("<｜User｜>");
    out.say(at, Words::from(&out.text(at, turn)?));
    Ok(())
}

#[derive(Default)]
struct State {
    after_user: bool,
    after_result: bool,
    /// A call was written in this block of calls.
    called: bool,
    /// A result was written in this block of results.
    answered: bool,
}

impl Style for DeepSeek {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        system(chat, out)?;
        let mut state = State::default();
        for (at, turn) in chat.turns.iter().enumerate() {
            match (&*turn.role, turn.calls()) {
                ("user", _) => {
                    user(at, turn, out)?;
                    out.raw(if self.thinks { "" } else { ASSISTANT });
                    state = State {
                        after_user: true,
                        after_result: false,
                        called: self.thinks && state.called,
                        ..state
                    };
                }
                ("assistant", Some(calls)) => self.calls(at, turn, calls, &mut state, out)?,
                ("assistant", None) => self.answer(at, turn, &mut state, out)?,
                ("tool", _) => {
                    out.raw(match (state.answered, self.thinks) {
                        (false, _) => "<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>",
                        (true, false) => "\n<｜tool▁output▁begin｜>",
                        (true, true) => "<｜tool▁output▁begin｜>",
                    });
                    out.say(at, Words::from(&out.text(at, turn)?));
                    out.raw("<｜tool▁output▁end｜>");
                    state = State {
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
            out.raw(RESULTS_END);
        } else if out.answers() && self.thinks {
            out.raw("<｜Assistant｜><think>\n");
        } else if out.answers() && !state.after_user {
            out.raw(ASSISTANT);
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading {
            marks: vec![
                ReadMark::new(Role::User, "<｜User｜>", ""),
                ReadMark::new(Role::Assistant, ASSISTANT, EOS),
                ReadMark::unsaid("<｜tool▁outputs▁begin｜>", ""),
                ReadMark::new(Role::Tool, "<｜tool▁output▁begin｜>", ""),
                ReadMark::new(Role::Assistant, "<｜tool▁output▁end｜>", EOS).shared(),
                ReadMark::new(Role::Assistant, RESULTS_END, EOS).shared(),
            ],
            bare_system: Some(""),
            thought: self.thinks.then_some(("<think>\n", "\n</think>\n\n")),
            ..Reading::default()
        }
    }
}

impl DeepSeek {
    fn calls(
        &self,
        at: usize,
        turn: &Turn<'_>,
        calls: &[Call],
        state: &mut State,
        out: &mut Out<'_>,
    ) -> Result<()> {
        if !self.thinks {
            out.raw(if state.after_result { RESULTS_END } else { "" });
            *state = State::default();
        }
        (state.after_user, state.after_result) = (false, false);
        for (index, call) in calls.iter().enumerate() {
            let origin = Origin::Call(at, index);
            if state.called {
                out.raw("\n<｜tool▁call▁begin｜>");
            } else {
                out.raw(if self.thinks { ASSISTANT } else { "" });
                out.say(at, Words::from(&out.text(at, turn)?));
                out.raw("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>");
            }
            state.called = true;
            match call.kind.as_deref() {
                None | Some("function") => out.raw("function"),
                Some(kind) => out.word(origin, kind)?,
            }
            out.raw("<｜tool▁sep｜>");
            out.word(origin, &call.name)?;
            out.raw("\n```json\n");
            let arguments = match call.arguments.shape() {
                Shape::String => display(&call.arguments),
                _ => dumps(&call.arguments, None),
            };
            out.data(origin, &arguments);
            out.raw("\n```<｜tool▁call▁end｜>");
        }
        out.raw(CALLS_END);
        Ok(())
    }

    fn answer(
        &self,
        at: usize,
        turn: &Turn<'_>,
        state: &mut State,
        out: &mut Out<'_>,
    ) -> Result<()> {
        let text = out.text(at, turn)?;
        let mut words = Words::from(&text);
        if state.after_result {
            out.raw(RESULTS_END);
        } else if self.thinks {
            if words.contains("</think>") {
                words = words.after_last("</think>");
                out.omit(at);
            }
            out.raw(ASSISTANT);
        }
        out.say(at, words);
        out.raw(EOS);
        (state.after_user, state.after_result) = (false, false);
        Ok(())
    }
}

const TOOLS: &str = "\n\n## Tools\nYou have access to the following tools:\n";
const TOOLS_END: &str = "\nIMPORTANT: ALWAYS adhere to this exact format for tool use:\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_call_name<｜tool▁sep｜>tool_call_arguments<｜tool▁call▁end｜>{{additional_tool_calls}}<｜tool▁calls▁end｜>\n\nWhere:\n\n- `tool_call_name` must be an exact match to one of the available tools\n- `tool_call_arguments` must be valid JSON that strictly follows the tool's Parameters Schema\n- For multiple tool calls, chain them directly without separators or spaces\n";

/// Tools behind the instructions, as the model's documentation has them: its own template knows none, so that only
/// strict writing offers them.
fn offer(tools: &[Json], out: &mut Out<'_>) {
    out.raw(TOOLS);
    for (index, tool) in tools.iter().enumerate() {
        let origin = Origin::Tool(index);
        let function = tool.get("function").unwrap_or_else(|| tool.clone());
        let text = |key| {
            function
                .get(key)
                .map(|value| display(&value))
                .unwrap_or_default()
        };
        out.raw("\n### ");
        out.data(origin, &text("name"));
        out.raw("\nDescription: ");
        out.data(origin, &text("description"));
        out.raw("\n\nParameters: ");
        let parameters = function.get("parameters").map(|json| dumps(&json, None));
        out.data(origin, &parameters.unwrap_or_else(|| "{}".to_owned()));
        out.raw("\n");
    }
    out.raw(TOOLS_END);
}

impl Style for DeepSeekV31 {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        system(chat, out)?;
        if let Some(tools) = chat
            .tools
            .as_ref()
            .filter(|tools| !tools.is_empty() && out.is_strict())
        {
            offer(tools, out);
        }
        let thinks = out.options.thinking == Some(true);
        let mut state = State::default();
        for (at, turn) in chat.turns.iter().enumerate() {
            match &*turn.role {
                "user" => {
                    user(at, turn, out)?;
                    state = State {
                        after_user: true,
                        ..State::default()
                    };
                }
                "assistant" if turn.has_calls() => {
                    out.raw(if state.after_user {
                        "<｜Assistant｜><think></think>"
                    } else {
                        ""
                    });
                    state = State::default();
                    calls(at, turn, out)?;
                }
                "assistant" => {
                    if state.after_user {
                        let prefix = turn
                            .extra("prefix")
                            .is_some_and(|prefix| prefix.as_str() == "true");
                        out.raw(ASSISTANT);
                        out.raw(if prefix && thinks {
                            "<think>"
                        } else {
                            "<think></think>"
                        });
                    }
                    let text = out.text(at, turn)?;
                    let mut words = Words::from(&text);
                    if !state.after_result && words.contains("</think>") {
                        words = words.after("</think>");
                        out.omit(at);
                    }
                    out.say(at, words);
                    out.raw(EOS);
                    state = State::default();
                }
                "tool" => {
                    out.raw("<｜tool▁output▁begin｜>");
                    out.say(at, Words::from(&out.text(at, turn)?));
                    out.raw("<｜tool▁output▁end｜>");
                    state = State {
                        after_result: true,
                        ..State::default()
                    };
                }
                _ => {}
            }
        }
        if out.answers() && state.after_user {
            out.raw(ASSISTANT);
            out.raw(if thinks { "<think>" } else { "<think></think>" });
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading {
            marks: vec![
                ReadMark::new(Role::User, "<｜User｜>", ""),
                ReadMark::new(Role::Assistant, ASSISTANT, EOS),
                ReadMark::new(Role::Tool, "<｜tool▁output▁begin｜>", ""),
                ReadMark::new(Role::Assistant, "<｜tool▁output▁end｜>", EOS).shared(),
            ],
            bare_system: Some(""),
            thought: Some(("<think>", "</think>")),
            ..Reading::default()
        }
    }
}

fn calls(at: usize, turn: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
    out.say(at, Words::from(&out.text(at, turn)?));
    out.raw("<｜tool▁calls▁begin｜>");
    for (index, call) in turn.calls().unwrap_or_default().iter().enumerate() {
        let origin = Origin::Call(at, index);
        out.raw("<｜tool▁call▁begin｜>");
        out.word(origin, &call.name)?;
        out.raw("<｜tool▁sep｜>");
        out.data(origin, &dumps(&out.arguments(call), None));
        out.raw("<｜tool▁call▁end｜>");
    }
    out.raw(CALLS_END);
    Ok(())
}
