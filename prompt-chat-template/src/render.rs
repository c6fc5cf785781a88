//! One rendering: the text, and which bytes of it are data.

use std::sync::Arc;

use minijinja::Value;

use crate::engine::{Engine, Limits};
use crate::fault;
use crate::marks::Marks;
use crate::node::{Conversation, Node, Place};
use crate::words;
use prompt_core::{AnnotatedText, Error, ErrorKind, Origin, Result};

/// What a template is run with.
#[derive(Clone, Debug)]
pub(crate) struct Run<'a> {
    pub(crate) conversation: Conversation,
    /// Variables besides the conversation.
    pub(crate) variables: &'a [(String, Node)],
    pub(crate) generation_prompt: bool,
    /// Whether the last message is left open.
    pub(crate) open: bool,
    pub(crate) limits: Limits,
}

/// A rendered text with its sources.
pub(crate) struct Rendered {
    pub(crate) text: String,
    /// What each stretch of the text is, up to its end; nothing if that cannot be told.
    pub(crate) stretches: Option<Vec<(usize, Origin, Place)>>,
    /// Places of the conversation that the text shows nothing of.
    pub(crate) missing: Vec<Place>,
}

/// Ends the last message while a template runs, so that its end is found; templates that strip it leave the words.
const OPEN: &str = "<<the answer goes on here>> ";

impl Run<'_> {
    pub(crate) fn render(&self, engine: &Engine) -> Result<Rendered> {
        let text = self.text(engine, None)?;
        let mut rendered = Rendered {
            text,
            stretches: None,
            missing: Vec::new(),
        };
        let conversation = self.conversation();
        let sought = words::sought(&engine.source);
        let slices = words::slices(&engine.source);
        let attempts = [(Vec::new(), false), (sought.clone(), false), (sought, true)];
        for (kept, merged) in attempts {
            let Some(marks) = Marks::new(&conversation, kept, (merged, slices)) else {
                continue;
            };
            let marks = Arc::new(marks);
            let Ok(marked) = self.text(engine, Some(&marks)) else {
                continue;
            };
            let Some(origins) = marks.origins(&marked, &rendered.text) else {
                continue;
            };
            if !merged {
                rendered.missing = marks.missing(&conversation, &origins);
            }
            let mut stretches: Vec<(usize, Origin, Place)> = Vec::new();
            let mut end = 0;
            for (char, group) in origins {
                end += char.len_utf8();
                let (source, place) = marks.source(group);
                match stretches.last_mut() {
                    Some(last) if (last.1, last.2) == (source, place) => last.0 = end,
                    _ => stretches.push((end, source, place)),
                }
            }
            rendered.stretches = Some(stretches);
            break;
        }
        Ok(rendered)
    }

    /// The conversation with the variables that hold text, which is data too.
    fn conversation(&self) -> Conversation {
        let mut conversation = self.conversation.clone();
        conversation
            .messages
            .extend(self.variables.iter().map(|(_, value)| value.clone()));
        conversation
    }

    fn text(&self, engine: &Engine, marks: Option<&Arc<Marks>>) -> Result<String> {
        let value = |node: &Node| value_of(node, marks);
        let mut messages: Vec<Value> = self.conversation.messages.iter().map(value).collect();
        if self.open {
            let last = self
                .conversation
                .messages
                .last()
                .map(|last| opened(last, marks));
            let last = last.transpose()?;
            messages.pop();
            messages.extend(last);
        }
        let tools = self
            .conversation
            .tools
            .as_ref()
            .map_or(Value::from(()), value);
        let mut variables = vec![
            ("messages", Value::from(messages)),
            ("tools", tools),
            ("documents", Value::from(())),
            ("add_generation_prompt", Value::from(self.generation_prompt)),
        ];
        variables.extend(
            self.variables
                .iter()
                .map(|(name, node)| (&**name, value(node))),
        );
        let rendered = engine.render(Value::from_pairs(variables), &self.limits, marks);
        let text = rendered.map_err(|error| fault::of(error, &engine.source))?;
        if self.open { cut(text) } else { Ok(text) }
    }
}

fn value_of(node: &Node, marks: Option<&Arc<Marks>>) -> Value {
    match node {
        Node::Null => Value::from(()),
        Node::Bool(bool) => Value::from(*bool),
        // The small numbers are the fast ones.
        Node::Int(int) => i64::try_from(*int).map_or_else(|_| Value::from(*int), Value::from),
        Node::Float(float) => Value::from(*float),
        Node::Own(text) => Value::from(&**text),
        Node::Text(text, place) => match marks {
            Some(marks) => Value::from(marks.marked(text, *place)),
            None => Value::from(text.as_str()),
        },
        Node::List(items) => items.iter().map(|item| value_of(item, marks)).collect(),
        Node::Map(map) => Value::from_pairs(
            map.iter()
                .map(|(key, value)| (value_of(key, marks), value_of(value, marks))),
        ),
    }
}

/// The last message with a sign at the end of its text.
fn opened(message: &Node, marks: Option<&Arc<Marks>>) -> Result<Value> {
    let nothing = || {
        let error = Error::new(
            ErrorKind::Unsupported,
            "the last message has no text to go on with",
        );
        error.with_help("end with an assistant message that holds the beginning of the answer")
    };
    let signed = |node: &Node| {
        let text = value_of(node, marks);
        Value::from(format!("{}{OPEN}", text.as_str().unwrap_or_default()))
    };
    let Node::Map(map) = message else {
        return Err(nothing());
    };
    let mut open = false;
    let mut out = Vec::new();
    for (key, node) in map {
        let mut value = value_of(node, marks);
        if key.as_str() == Some("content") {
            value = match node {
                Node::List(parts) => {
                    let last = parts.iter().rposition(|part| part.get("text").is_some());
                    let last = last.ok_or_else(nothing)?;
                    let parts = parts.iter().enumerate().map(|(at, part)| match part {
                        Node::Map(map) if at == last => {
                            Value::from_pairs(map.iter().map(|(key, node)| {
                                let is_text = key.as_str() == Some("text");
                                let value = if is_text {
                                    signed(node)
                                } else {
                                    value_of(node, marks)
                                };
                                (value_of(key, marks), value)
                            }))
                        }
                        part => value_of(part, marks),
                    });
                    parts.collect()
                }
                Node::Own(_) | Node::Text(..) => signed(node),
                _ => return Err(nothing()),
            };
            open = true;
        }
        out.push((value_of(key, marks), value));
    }
    if open {
        Ok(Value::from_pairs(out))
    } else {
        Err(nothing())
    }
}

/// The text up to the sign; without the white space before it where the template strips the message.
fn cut(mut text: String) -> Result<String> {
    let Some(at) = text.rfind(OPEN.trim_end()) else {
        let message = "the chat template does not write the last message, so that the model could go on with it";
        return Err(Error::new(ErrorKind::Unsupported, message));
    };
    let kept = text[at..].starts_with(OPEN);
    text.truncate(at);
    if !kept {
        text.truncate(
            text.trim_end_matches(prompt_core::python::is_whitespace)
                .len(),
        );
    }
    Ok(text)
}

impl Rendered {
    /// Writes the text; where its sources are not known all of it is data.
    pub(crate) fn write(&self, out: &mut AnnotatedText) {
        let Some(stretches) = &self.stretches else {
            out.push(&self.text, Origin::Data(None));
            return;
        };
        let mut at = 0;
        for (end, source, place) in stretches {
            out.message(match place {
                Place::Message(index) | Place::Calls(index) => Some(*index),
                Place::Tools | Place::Anywhere => None,
            });
            out.push(&self.text[at..*end], *source);
            at = *end;
        }
        out.message(None);
    }
}
