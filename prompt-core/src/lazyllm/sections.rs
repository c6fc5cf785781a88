//! What both layouts put together: the parts of a conversation, extra fields, tools.

use std::borrow::Cow;

use crate::lazyllm::Keys;
use crate::{Extra, Json, Message, Messages, Result, Role, Text, Tool};

/// A conversation as LazyLLM sees it.
pub(super) struct Sections<'a> {
    /// The first message, if it is the system's.
    pub(super) instruction: Cow<'a, Text>,
    /// Whether there is one: it may be there and say nothing.
    pub(super) is_instructed: bool,
    /// What was said before the current turn.
    pub(super) history: Vec<Turn<'a>>,
    /// The user's message at the end, or the results of tools there.
    pub(super) current: Vec<Turn<'a>>,
}

/// A message and its index.
pub(super) type Turn<'a> = (usize, &'a Message);

pub(super) fn split(messages: &Messages) -> Sections<'_> {
    let mut turns: Vec<_> = messages.iter().enumerate().collect();
    let is_instructed = matches!(turns.first(), Some((_, first)) if first.role == Role::System);
    let instruction = if is_instructed {
        turns.remove(0).1.whole_text()
    } else {
        Cow::Owned(Text::new())
    };
    let start = match turns.last() {
        Some((_, last)) if last.role == Role::User => turns.len() - 1,
        _ => turns
            .iter()
            .rposition(|(_, message)| message.role != Role::Tool)
            .map_or(0, |at| at + 1),
    };
    let current = turns.split_off(start);
    Sections {
        instruction,
        is_instructed,
        history: turns,
        current,
    }
}

/// The extra fields, each under its name.
pub(super) fn extra_section(extras: &[Extra]) -> Text {
    let mut text = Text::new();
    if extras.is_empty() {
        return text;
    }
    text.push_template("Here are some extra messages you can referred to:\n\n");
    for extra in extras {
        text.push_template("### ");
        text.push_template(extra.name);
        text.push_template(":\n");
        text.push(&extra.value);
        text.push_template("\n\n");
    }
    text
}

/// The tools as JSON, and nothing without tools.
pub(super) fn tool_section(tools: &[Tool]) -> Result<Text> {
    let mut text = Text::new();
    if !tools.is_empty() {
        text.push_template("### Function-call Tools. \n\n");
        text.push_data(Some("tools"), &Json::of(tools)?.spaced());
        text.push_template("\n\n");
    }
    Ok(text)
}

/// How a tool is called, told by an example: only where the keys have the tokens for it, and there are tools.
///
/// Without such tokens the tools are listed all the same, as LazyLLM's own documents show it.
pub(super) fn calling_section(tools: &[Tool], keys: &Keys) -> Result<Text> {
    let mut text = Text::new();
    if tools.is_empty() || !keys.can_call() {
        return Ok(text);
    }
    let names: Vec<_> = tools.iter().map(Tool::name).collect();
    let (start, args, end) = (
        &*keys.tool_start_token,
        &*keys.tool_args_token,
        &*keys.tool_end_token,
    );
    text.push_template("\n\n");
    text.push_own(&format!("{start}tool name (one of "));
    text.push_data(Some("tools"), &Json::of(&names)?.spaced());
    text.push_own(&format!(
        ")\n{args}the input to the tool, in a JSON format representing the kwargs. Can only return json.\n\
         {end}end of tool.\n\
         (e.g. {start}tool_name\n{args}{{\"input\": \"hello world\", \"num_beams\": 5}}\n{end}).\n"
    ));
    Ok(text)
}
