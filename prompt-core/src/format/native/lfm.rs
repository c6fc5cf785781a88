//! LFM2: ChatML with a list of tools in the system turn and marks around results.

use super::Style;
use super::chat::Chat;
use super::out::{Origin, Out};
use super::python::dumps;
use super::read::{ReadMark, Reading};
use super::words::Words;
use crate::{Result, Role};

pub(crate) struct Lfm;

impl Style for Lfm {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        out.raw("<|startoftext|>");
        let system = chat.turns.first().filter(|turn| turn.is("system"));
        let text = system
            .map(|turn| out.text(0, turn))
            .transpose()?
            .unwrap_or_default();
        let words = Words::from(&text);
        let has_system = system.is_some() && out.has(0, words);
        let tools = chat.tools.as_deref().unwrap_or_default();
        if has_system || !tools.is_empty() {
            out.raw("<|im_start|>system\n");
            if has_system {
                out.say(0, words);
            }
            if !tools.is_empty() {
                out.raw(if has_system { "\n" } else { "" });
                out.raw("List of tools: <|tool_list_start|>[");
                for (index, tool) in tools.iter().enumerate() {
                    out.raw(if index > 0 { ", " } else { "" });
                    out.data(
                        Origin::Tool(index),
                        &tool.as_string().unwrap_or_else(|| dumps(tool, None)),
                    );
                }
                out.raw("]<|tool_list_end|>");
            }
            out.raw("<|im_end|>\n");
        }
        for (at, turn) in chat
            .turns
            .iter()
            .enumerate()
            .skip(usize::from(system.is_some()))
        {
            out.raw("<|im_start|>");
            out.role(at, &turn.role);
            out.raw(if turn.is("tool") {
                "\n<|tool_response_start|>"
            } else {
                "\n"
            });
            match &turn.content {
                super::chat::Content::Json(_) if !out.is_strict() => out.json(at, turn)?,
                _ => out.say(at, Words::from(&out.text(at, turn)?)),
            }
            out.raw(if turn.is("tool") {
                "<|tool_response_end|><|im_end|>\n"
            } else {
                "<|im_end|>\n"
            });
        }
        if out.answers() {
            out.raw("<|im_start|>assistant\n");
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading {
            marks: vec![ReadMark::new(
                Role::Tool,
                "<|im_start|>tool\n<|tool_response_start|>",
                "<|tool_response_end|><|im_end|>\n",
            )],
            named: Some(("<|im_start|>", "\n", "<|im_end|>\n")),
            ..Reading::default()
        }
    }
}
