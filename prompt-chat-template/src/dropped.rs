//! The parts of a conversation that a template does not render.

use std::fmt;

use prompt_core::{Error, ErrorKind};

use crate::node::{InputNode, NamedMessage, REASONING, RequestPart};
use crate::prepare;
use crate::render::Rendered;

/// A part of the conversation that is missing in the text.
#[derive(Debug)]
pub(crate) struct Dropped {
    error: Error,
}

impl Dropped {
    fn new(what: impl fmt::Display) -> Dropped {
        let message = format!("the chat template drops {what}");
        let error = Error::new(ErrorKind::Unsupported, message);
        Dropped {
            error: error
                .with_help("leave it out, or allow the template to drop it, with `lenient()`"),
        }
    }

    fn of_message(part: &str, message: NamedMessage<'_>) -> Dropped {
        let dropped = Dropped::new(format_args!("{part}{message}"));
        Dropped {
            error: message.add_to(dropped.error),
        }
    }

    pub(crate) fn into_error(self) -> Error {
        self.error
    }
}

/// What is missing in a rendered text. A template that reads reasoning decides which of it is rendered; one that does not read it
/// drops all of it.
pub(crate) fn find_dropped(
    messages: &[InputNode],
    source: &str,
    rendered: &Rendered,
) -> Vec<Dropped> {
    let reads_reasoning = REASONING.iter().any(|name| has_word(source, name));
    let of_message =
        |part: &str, index: usize| Dropped::of_message(part, NamedMessage::new(messages, index));
    let mut dropped = Vec::new();
    for part in &rendered.missing {
        match *part {
            RequestPart::Message(index) => {
                let has_text = messages.get(index).is_none_or(has_content);
                if has_text {
                    dropped.push(of_message("", index));
                }
            }
            RequestPart::CallName(index, call) => {
                let call = name_call(messages, index, call);
                dropped.push(of_message(&format!("{call} of "), index));
            }
            RequestPart::Arguments(index, call) => {
                // A call of which nothing is written is one error; the list is sorted.
                let name = RequestPart::CallName(index, call);
                if rendered.missing.binary_search(&name).is_err() {
                    let call = name_call(messages, index, call);
                    dropped.push(of_message(&format!("the arguments of {call} of "), index));
                }
            }
            RequestPart::Tool(tool) if rendered.writes_tools() => {
                dropped.push(Dropped::new(format_args!("tool {tool}")));
            }
            RequestPart::Tool(_)
            | RequestPart::Documents
            | RequestPart::Anywhere
            | RequestPart::Header(_) => {
                dropped.push(Dropped::new("the tools"));
            }
        }
    }
    for (index, message) in messages.iter().enumerate() {
        let reasoning = prepare::reasoning(message).map(str::trim);
        let is_missing = |text: &str| !text.is_empty() && !rendered.text.contains(text);
        if !reads_reasoning && reasoning.is_some_and(is_missing) {
            dropped.push(of_message("the reasoning of ", index));
        }
    }
    dropped
}

/// A tool call as errors name it: by its number where the message has several.
fn name_call(messages: &[InputNode], message: usize, call: usize) -> String {
    let calls = messages
        .get(message)
        .and_then(|message| message.get("tool_calls"));
    match calls {
        Some(InputNode::List(calls)) if calls.len() > 1 => format!("tool call {call}"),
        _ => "the tool calls".to_owned(),
    }
}

/// Whether a message has something besides its reasoning that is not a call.
fn has_content(message: &InputNode) -> bool {
    let mut found = false;
    let InputNode::Map(entries) = message else {
        return true;
    };
    for (key, value) in entries {
        let key = key.as_str().unwrap_or_default();
        if !REASONING.contains(&key) {
            value.visit_texts(&mut |text, part| {
                let has_words = text.as_str().contains(|char: char| !char.is_whitespace());
                found |= matches!(part, RequestPart::Message(_)) && has_words;
            });
        }
    }
    found
}

/// Whether a name is in a template as a word.
fn has_word(source: &str, name: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    source.match_indices(name).any(|(at, _)| {
        !source[..at].ends_with(is_part) && !source[at + name.len()..].starts_with(is_part)
    })
}
