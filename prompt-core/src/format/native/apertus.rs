//! Apertus: the reasoning mode and the tools in a developer message, and the results of tools inside the assistant's turn.

use std::borrow::Cow;

use super::chat::{ChatContent, ChatInput, ChatMessage};
use super::python::dumps;
use super::typescript::function_type;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Result, Role, Text};
use prompt_family::tokens::apertus::{DEVELOPER, DEVELOPER_END, SHOWS_ANSWER};

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    out.write_start(chat);
    write_head(chat, out)?;
    let mut answer = Answer::default();
    for (at, turn) in chat.turns().skip(usize::from(chat.system().is_some())) {
        match turn.role() {
            Some(Role::User) => {
                answer.close(out);
                answer = Answer::default();
                let user = &out.family.turns.user;
                out.structure(user.open);
                let text = string_content(at, &turn, out)?;
                out.finish_content(at, TextSlice::from(&text));
                out.structure(user.close);
            }
            Some(Role::Assistant) => answer.write(at, &turn, out)?,
            Some(Role::Tool) => answer.write_result(at, &turn, out)?,
            _ => return Err(out.unsupported_role(at, &turn)),
        }
    }
    answer.close_results(out);
    out.end_answer();
    out.write_end(chat);
    Ok(())
}

/// A content that is a string. The template refuses any other.
fn string_content<'t>(
    at: usize,
    turn: &ChatMessage<'t>,
    out: &FormatWriter<'_>,
) -> Result<Cow<'t, Text>> {
    match turn.content() {
        ChatContent::Json(_) | ChatContent::Absent if !out.is_strict() => {
            let what = "has a content that is not a string";
            Err(out.unsupported_message(at, turn, what, "give it as a string"))
        }
        _ => out.text(at, turn),
    }
}

/// The system message, and the developer message with the reasoning mode and the tools.
fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let system = &out.family.turns.system;
    out.structure(system.delimiters.open);
    match chat.system() {
        Some(turn) => {
            let text = string_content(0, &turn, out)?;
            out.finish_content(0, TextSlice::from(&text));
        }
        None => {
            let day = out.options.date_or_today();
            out.structure(system.default.text().unwrap_or_default());
            out.structure(&format!("{:04}-{:02}-{:02}", day.year, day.month, day.day));
        }
    }
    out.structure(system.delimiters.close);
    out.structure(DEVELOPER);
    out.structure(match out.options.thinking {
        Some(true) => "Deliberation: enabled\n",
        _ => "Deliberation: disabled\n",
    });
    let tools = chat.tools.as_deref().unwrap_or_default();
    out.structure(match tools {
        [] => "Tool Capabilities: disabled",
        _ => "Tool Capabilities:\n",
    });
    for (index, tool) in tools.iter().enumerate() {
        out.structure(if index > 0 { "\n" } else { "" });
        out.write_data(FieldOrigin::Tool(index), &function_type(tool, "\n"));
    }
    out.structure(DEVELOPER_END);
    Ok(())
}

/// The assistant's turn, which contains all its messages and the results of tools up to the next user message.
#[derive(Default)]
struct Answer {
    /// Whether the turn is open.
    is_open: bool,
    /// Whether the list of results is open.
    has_results: bool,
    /// Whether the reasoning is open. It continues after calls.
    is_inner: bool,
    /// Whether the last message of the assistant calls tools.
    is_called: bool,
}

impl Answer {
    fn write(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        out: &mut FormatWriter<'_>,
    ) -> Result<()> {
        let turns = &out.family.turns;
        let (open, close) = turns.reasoning.unwrap_or_default();
        self.is_called = turn.has_calls();
        // The template leaves the list of results open before calls whose message has no content.
        let has_content = out.is_strict() || !matches!(turn.content(), ChatContent::Absent);
        if has_content {
            self.close_results(out);
        }
        match self.is_open {
            true => out.begin_answer(),
            false => out.open_answer(),
        }
        self.is_open = true;
        let text = match turn.content() {
            ChatContent::Absent if self.is_called => Cow::Owned(Text::new()),
            _ => string_content(at, turn, out)?,
        };
        let text = TextSlice::from(&text);
        let reasoning = turn
            .reasoning()
            .filter(|text| out.is_strict() && !text.as_str().is_empty());
        if let Some(reasoning) = reasoning {
            out.structure(if self.is_inner { "" } else { open });
            out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
            self.is_inner = true;
        }
        // The template closes the reasoning of a message whose only call shows an answer to the user.
        let calls = turn.tool_calls().unwrap_or_default();
        let is_shown =
            reasoning.is_some() && matches!(&*calls, [call] if call.name == SHOWS_ANSWER);
        if self.is_inner && (out.has_text(at, text) || !self.is_called || is_shown) {
            out.structure(close);
            self.is_inner = false;
        }
        out.finish_content(at, text);
        if self.is_called {
            let is_function = |kind: Option<&str>| out.is_strict() || kind == Some("function");
            if !calls.iter().all(|call| is_function(call.kind.as_deref())) {
                let what = "holds a tool call whose type is not `function`";
                return Err(out.unsupported_message(at, turn, what, "give it this type"));
            }
            out.write_call_section(at, turn, ", ", |out, origin, arguments| {
                out.write_data(origin, &dumps(arguments, None));
                Ok(())
            })?;
        }
        Ok(())
    }

    fn write_result(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        out: &mut FormatWriter<'_>,
    ) -> Result<()> {
        if !self.is_open || out.is_strict() && !self.is_called {
            let what = "is a tool result without a call before it";
            let help = "put it after a message that calls tools";
            return Err(out.unsupported_message(at, turn, what, help));
        }
        out.end_answer();
        out.structure(if self.has_results { ", " } else { "[" });
        self.has_results = true;
        let text = out.printed_text(at, turn)?;
        out.finish_content(at, TextSlice::from(&text));
        Ok(())
    }

    fn close_results(&mut self, out: &mut FormatWriter<'_>) {
        if std::mem::take(&mut self.has_results) {
            out.structure("]");
        }
    }

    /// Ends the turn before a user message.
    fn close(&mut self, out: &mut FormatWriter<'_>) {
        self.close_results(out);
        if self.is_open {
            out.begin_answer();
            out.close_answer(out.family.turns.assistant.close);
        }
    }
}
