//! Kimi K2: roles between marks, tools declared in front.

use super::Style;
use super::chat::{Chat, Item, Turn};
use super::out::{Origin, Out};
use super::python::{display, dumps};
use super::read::{ReadMark, Reading};
use super::words::Words;
use crate::{Json, MediaKind, Result, Role};

pub(crate) struct Kimi;

const IMAGE: &str = "<|media_start|>image<|media_content|><|media_pad|><|media_end|>\n";

impl Style for Kimi {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        if let Some(tools) = chat.tools.as_ref().filter(|tools| !tools.is_empty()) {
            out.raw("<|im_system|>tool_declare<|im_middle|>");
            out.data(Origin::Tool(0), &dumps(&Json::list(tools), None));
            out.raw("<|im_end|>");
        }
        if chat.turns.first().is_some_and(|turn| !turn.is("system")) {
            out.raw("<|im_system|>system<|im_middle|>You are a helpful assistant<|im_end|>");
        }
        for (at, turn) in chat.turns.iter().enumerate() {
            match &*turn.role {
                "system" => out.raw("<|im_system|>system<|im_middle|>"),
                "user" => out.raw("<|im_user|>user<|im_middle|>"),
                "assistant" => out.raw("<|im_assistant|>assistant<|im_middle|>"),
                "tool" => out.raw("<|im_system|>tool<|im_middle|>"),
                // The model's own template prints the content with no mark before it.
                _ if out.is_strict() => return Err(out.role_error(at, turn)),
                _ => {}
            }
            match &*turn.role {
                "assistant" if turn.has_calls() => calls(at, turn, out)?,
                "tool" => {
                    out.raw("## Return of ");
                    out.word(Origin::CallId(at), turn.call_id().unwrap_or_default())?;
                    out.raw("\\n");
                    out.say(at, Words::from(&out.shown(at, turn)?));
                }
                _ => content(at, turn, out)?,
            }
            out.raw("<|im_end|>");
        }
        if out.answers() {
            out.raw("<|im_assistant|>assistant<|im_middle|>");
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading {
            marks: vec![
                ReadMark::unsaid("<|im_system|>tool_declare<|im_middle|>", "<|im_end|>"),
                ReadMark::new(
                    Role::System,
                    "<|im_system|>system<|im_middle|>",
                    "<|im_end|>",
                ),
                ReadMark::new(Role::User, "<|im_user|>user<|im_middle|>", "<|im_end|>"),
                ReadMark::new(
                    Role::Assistant,
                    "<|im_assistant|>assistant<|im_middle|>",
                    "<|im_end|>",
                ),
                ReadMark::new(Role::Tool, "<|im_system|>tool<|im_middle|>", "<|im_end|>"),
            ],
            ..Reading::default()
        }
    }
}

fn calls(at: usize, turn: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
    let text = out.shown(at, turn)?;
    if out.has(at, Words::from(&text)) {
        out.say(at, Words::from(&text));
    }
    out.raw("<|tool_calls_section_begin|>");
    for (index, call) in turn.calls().unwrap_or_default().iter().enumerate() {
        let origin = Origin::Call(at, index);
        out.raw("<|tool_call_begin|>functions.");
        out.word(origin, &call.name)?;
        out.raw(&format!(":{index}<|tool_call_argument_begin|>"));
        out.data(origin, &dumps(&out.arguments(call), None));
        out.raw("<|tool_call_end|>");
    }
    out.raw("<|tool_calls_section_end|>");
    Ok(())
}

fn content(at: usize, turn: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
    let Some(items) = turn.items() else {
        out.say(at, Words::from(&out.text(at, turn)?));
        return Ok(());
    };
    let last = items.iter().rposition(|item| matches!(item, Item::Text(_)));
    for (index, item) in items.iter().enumerate() {
        match item {
            Item::Text(text) if Some(index) == last => out.say(at, Words::from(text)),
            Item::Text(text) => out.piece(Origin::Content(at), Words::from(text)),
            Item::Media(MediaKind::Image, _) => out.mark(at, IMAGE),
            Item::Other(json) if json.get("image").is_some() || json.get("image_url").is_some() => {
                out.mark(at, IMAGE);
            }
            Item::Other(json) if !out.is_strict() => {
                let text = json.get("text").map(|text| display(&text));
                out.data(Origin::Content(at), &text.unwrap_or_default());
            }
            Item::Media(..) if !out.is_strict() => {}
            Item::Media(kind, _) => return Err(out.media_error(at, turn, *kind)),
            Item::Other(_) => return Err(out.part_error(at, turn)),
        }
    }
    Ok(())
}
