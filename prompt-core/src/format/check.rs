//! Checks that a family supports a conversation, and that everything that was given was written. The errors name the family, the
//! message and what to do.

use super::native::SEPARATE;
use super::native::TextEnding;
use super::native::chat::{ChatContent, ChatInput, ChatMessage, ContentItem};
use super::native::writer::FormatWriter;
use crate::annotated_text::is_whitespace;
use crate::format::{Family, FormatOptions, Order};
use crate::{Error, ErrorKind, Json, Messages, Part, Result, Role};
use prompt_family::ConversationTemplate;

/// Returns the error for a message that a family cannot express: `message` is its index and role, `what` follows
/// "message 2 (user)", `help` begins with a verb.
///
/// ```
/// use typed_prompt::{Role, format};
///
/// let error = format::unsupported(&format::Family::BARE, (2, Role::Tool), "is a tool's result", "leave it out");
/// assert_eq!(error.message_index(), Some(2));
/// assert!(error.message().starts_with("message 2 (tool) is a tool's result"));
/// ```
pub fn unsupported(family: &Family, message: (usize, Role), what: &str, help: &str) -> Error {
    let (index, role) = message;
    let text = format!(
        "message {index} ({role}) {what}, which {} does not support",
        family.title
    );
    Error::new(ErrorKind::Unsupported, text)
        .with_help(help)
        .at_message(index, role)
}

/// There are no messages.
pub(crate) fn no_message(family: &Family) -> Error {
    let text = format!("there is no message for {}", family.title);
    Error::new(ErrorKind::Unsupported, text).with_help("add a user message")
}

/// Checks that a family can express a conversation and that the text may end as the options require. Implementations of
/// [`ChatFormat::write_messages`](crate::ChatFormat::write_messages) call it first.
///
/// # Errors
/// No message; a message, tool or value that the family does not support; a label or an answer after the assistant's.
///
/// ```
/// use typed_prompt::{Message, Messages, format::{self, Family, FormatOptions}};
///
/// let family = Family { name: "mine", title: "Mine", history: true, ..Family::BARE };
/// let check = |messages: &Messages| format::check(&family, messages, &FormatOptions::default());
/// assert!(check(&Messages::from([Message::user("Hi")])).is_ok());
/// assert!(check(&Messages::from([Message::system("Be brief."), Message::user("Hi")])).is_err());
/// ```
pub fn check(family: &Family, messages: &Messages, options: &FormatOptions) -> Result<()> {
    if messages.is_empty() {
        return Err(no_message(family));
    }
    check_facts(family, messages)?;
    check_end(messages, options)
}

/// Checks that a family supports each message, tool and value of a conversation; how the text ends is not checked.
///
/// # Errors
/// The first message, tool or value that the family does not support.
///
/// ```
/// use typed_prompt::{Messages, Tool, format::{Family, check_facts}};
///
/// assert!(check_facts(&Family::BARE, &Messages::new()).is_ok());
/// assert!(check_facts(&Family::BARE, &Messages::new().with_tool(Tool::new("weather"))).is_err());
/// ```
pub fn check_facts(family: &Family, messages: &Messages) -> Result<()> {
    if let Some(tool) = messages.tools().first().filter(|_| !family.tools) {
        let text = format!(
            "the tool `{}` is offered, which {} does not support",
            tool.name(),
            family.title
        );
        let help = "use a chat API, which takes tools beside the messages, or a layout with tools";
        return Err(Error::new(ErrorKind::Unsupported, text).with_help(help));
    }
    for (index, message) in messages.iter().enumerate() {
        let turn = (index, message.role);
        if !message.is_text() && !family.media {
            let what = "holds an image, audio, video or file";
            return Err(unsupported(family, turn, what, "use a chat API"));
        }
        if !message.tool_calls.is_empty() && !family.tools {
            return Err(unsupported(
                family,
                turn,
                "calls tools",
                "use a chat API, or leave the calls out",
            ));
        }
        if message.reasoning.is_some() {
            let help = "leave the reasoning out, or use a format of a model that thinks";
            return Err(unsupported(family, turn, "holds reasoning", help));
        }
        if message.name.is_some() && message.role != Role::Tool {
            return Err(unsupported(
                family,
                turn,
                "has a speaker's name",
                "put the name into the text",
            ));
        }
        if message.role == Role::System && !family.system {
            let help = "put the instructions into the user message";
            return Err(unsupported(family, turn, "holds instructions", help));
        }
        check_history(family, turn)?;
    }
    Ok(())
}

/// Refuses an earlier turn where the family takes none. `message` is its index and role.
pub(crate) fn check_history(family: &Family, message: (usize, Role)) -> Result<()> {
    if family.history || !matches!(message.1, Role::Assistant | Role::Tool) {
        return Ok(());
    }
    let help = "use a chat format such as `chatml`, or send one question without history";
    Err(unsupported(
        family,
        message,
        "is part of a conversation",
        help,
    ))
}

/// Refuses a second answer after the assistant's.
fn check_end(messages: &Messages, options: &FormatOptions) -> Result<()> {
    let index = messages.len().saturating_sub(1);
    match messages.last() {
        Some(last) if last.role != Role::Assistant => Ok(()),
        Some(_) if options.label.is_some() => Err(labelled_twice(index)),
        Some(_) if options.generation_prompt => Err(already_answered(index)),
        _ => Ok(()),
    }
}

/// The last message is the answer already, and a label comes after it.
pub(crate) fn labelled_twice(index: usize) -> Error {
    let text = format!("message {index} is the assistant's already, so no label can follow");
    Error::new(ErrorKind::Label, text)
        .with_help("leave the label out, or end with the user's message")
        .at_message(index, Role::Assistant)
}

/// The last message is the answer already, and the text is to end where one begins.
pub(crate) fn already_answered(index: usize) -> Error {
    let text = format!("message {index} is the assistant's, so there is nothing to answer");
    Error::new(ErrorKind::Unsupported, text)
        .with_help("end with a user message; `.continued()` leaves the last message open, and `.generation_prompt(false)` renders a finished conversation")
        .at_message(index, Role::Assistant)
}

/// Checks a prompt against a format at compile time and returns the error: generated code calls it for `format = PATH`.
///
/// `needs` specifies whether the prompt needs support for conversation history, a system message, media and tools, and an order of roles
/// that does not alternate. `texts` are the literal texts of the template.
pub const fn check_format(
    family: &Family,
    needs: [bool; 5],
    texts: &[&str],
) -> Option<&'static str> {
    let [history, system, media, tools, any_order] = needs;
    if history && !family.history {
        return Some("the format does not support conversation history");
    }
    if system && !family.system {
        return Some("the format does not support a system message");
    }
    if media && !family.media {
        return Some("the format does not support media");
    }
    if tools && !family.tools {
        return Some("the format does not support tools");
    }
    if any_order && family.history && matches!(family.order, Order::Alternate) {
        return Some("in this format user and assistant take turns, the user first");
    }
    let mut text = 0;
    while text < texts.len() {
        let mut token = 0;
        while token < family.tokens.len() {
            if contains_token(texts[text].as_bytes(), family.tokens[token].as_bytes()) {
                return Some(
                    "the template contains a control token of the format; remove it: the format writes it",
                );
            }
            token += 1;
        }
        text += 1;
    }
    None
}

const fn contains_token(mut text: &[u8], token: &[u8]) -> bool {
    while text.len() >= token.len() {
        let mut at = 0;
        while at < token.len() && text[at] == token[at] {
            at += 1;
        }
        if at == token.len() {
            return true;
        }
        let Some((_, rest)) = text.split_first() else {
            return false;
        };
        text = rest;
    }
    false
}

/// Nothing but an answer can follow the last message, and tools have names.
pub(super) fn check_answer_follows(chat: &ChatInput<'_>, out: &FormatWriter<'_>) -> Result<()> {
    if out.has_generation_prompt()
        && chat
            .last()
            .is_some_and(|turn| turn.has_role(Role::Assistant))
    {
        return Err(already_answered(chat.len() - 1));
    }
    chat.tools
        .iter()
        .flatten()
        .try_for_each(|tool| out.check_name(&name_of(tool)))
}

fn name_of(tool: &Json) -> String {
    let function = tool.get("function");
    let name = function.as_ref().unwrap_or(tool).get("name");
    name.and_then(|name| name.as_string()).unwrap_or_default()
}

/// Checks that everything that was given was written. If the conversation `is_plain`, its messages are contents alone.
pub(super) fn check_all_written(
    chat: &ChatInput<'_>,
    is_plain: bool,
    out: &FormatWriter<'_>,
) -> Result<()> {
    if let Some(tool) = chat
        .tools
        .iter()
        .flatten()
        .next()
        .filter(|_| !out.wrote_tools())
    {
        let name = name_of(tool);
        let help = "use a chat API, which takes tools beside the messages, or a layout with tools";
        return Err(out
            .unsupported(&format!("the tool `{name}` is offered"))
            .with_help(help));
    }
    if is_plain && out.wrote_contents(chat.len()) {
        return Ok(());
    }
    let mut turns = chat.turns();
    turns.try_for_each(|(at, turn)| complete_turn(at, &turn, chat, out))
}

/// Checks that everything in a message was written.
fn complete_turn(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &FormatWriter<'_>,
) -> Result<()> {
    if !out.wrote_content(at) && has_text(turn) {
        return Err(unwritten_content(at, turn, chat, out));
    }
    // A family that keeps reasoning leaves it out of earlier turns by a rule of its own.
    let is_last = at + 1 == chat.len();
    if turn.reasoning().is_some_and(|text| !text.is_empty())
        && (!out.family.reasoning || (is_last && !out.wrote_reasoning(at)))
    {
        let help = "leave the reasoning out, or use a format of a model that thinks";
        return Err(out.unsupported_message(at, turn, "holds reasoning", help));
    }
    for call in 0..turn.call_count().unwrap_or(0) {
        if !out.wrote_call(at, call) && !out.is_open(at) {
            let what = if call == 0 {
                "calls tools"
            } else {
                "calls more than one tool"
            };
            return Err(out.unsupported_message(
                at,
                turn,
                what,
                "use a chat API, or leave the calls out",
            ));
        }
    }
    Ok(())
}

fn unwritten_content(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &FormatWriter<'_>,
) -> Error {
    match turn.role() {
        Some(Role::System) if chat.len() == 1 => {
            out.unsupported_message(at, turn, "is the only message", "add a user message")
        }
        Some(Role::System) if at == 0 => out.unsupported_message(
            at,
            turn,
            "would be left out here",
            "end with a user message, or put the instructions into one",
        ),
        Some(Role::Assistant) if turn.has_calls() => out.unsupported_message(
            at,
            turn,
            "holds text beside a tool call",
            match out.family.template {
                ConversationTemplate::Llama(_) => SEPARATE,
                _ => "leave the text out, or use `.lenient()` of the format, which leaves it out as the model's chat template does",
            },
        ),
        _ => out.unsupported_role(at, turn),
    }
}

fn has_text(turn: &ChatMessage<'_>) -> bool {
    let is_text = |text: &str| !text.trim_matches(is_whitespace).is_empty();
    match turn.content() {
        ChatContent::Absent => false,
        ChatContent::Text(text) => is_text(text.as_str()),
        ChatContent::Texts(parts) => parts
            .iter()
            .any(|part| matches!(part, Part::Text(text) if is_text(text.as_str()))),
        ChatContent::Parts(parts) => !parts.is_empty(),
        ChatContent::Json(_) => true,
    }
}

/// Checks that a last message which is to be continued ends the text.
pub(super) fn check_continued_end(chat: &ChatInput<'_>, out: &FormatWriter<'_>) -> Result<()> {
    let Some(turn) = chat.last().filter(|_| out.end == TextEnding::Open) else {
        return Ok(());
    };
    let at = chat.len() - 1;
    let text = match turn.items() {
        Some(items) => items.into_iter().rev().find_map(|item| match item {
            ContentItem::Text(text) => Some(text),
            _ => None,
        }),
        None if turn.content() == ChatContent::Absent => None,
        None => out.text(at, &turn).ok(),
    };
    let is_whole = text.is_some_and(|text| {
        let text = text.as_str().trim_matches(is_whitespace);
        out.as_str().contains(text)
    });
    if out.is_sealed() && is_whole {
        return Ok(());
    }
    let what = "cannot be continued: the text does not end with all of it";
    Err(out.unsupported_message(at, &turn, what, "close it, or end with another message"))
}

#[cfg(test)]
mod tests {
    use super::contains_token;

    #[test]
    fn finds_a_token_in_text() {
        for (text, token, found) in [
            ("a</s>", "</s>", true),
            ("a</s", "</s>", false),
            ("<</s>", "</s>", true),
            ("", "x", false),
        ] {
            assert_eq!(
                contains_token(text.as_bytes(), token.as_bytes()),
                found,
                "{text}"
            );
        }
    }
}
